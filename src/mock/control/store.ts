import type { DayHours, InventoryStatus, Location, Menu } from '../../contract/index.js';
import {
  type Check,
  demand,
  listOf,
  matching,
  objectOf,
  oneOf,
  optional,
  optionalFields,
  trueOrFalse,
  valuesOf,
} from '../checks/check.js';
import { dayHours, LOCATION_FIELDS } from '../checks/records.js';
import { changeHours, changeLocation } from '../operations/stores/change-location.js';
import { changeMenu } from '../operations/stores/change-menu.js';
import { changeStock } from '../operations/stores/change-stock.js';
import { locationNamed } from '../operations/stores/store-events.js';
import type { ServiceState } from '../state/state.js';

/** What can be changed of a location. Its opening hours are changed by `service.hours`, which has an event. */
export interface LocationChange extends Partial<Omit<Location, 'id' | 'business_hours'>> {
  /** An inactive location is neither listed nor found, and takes no orders (gap LOC-9). */
  readonly active?: boolean | undefined;
}

/** When changed hours begin to hold. */
export interface HoursOptions {
  /** The day, `YYYY-MM-DD`, at whose local midnight the hours change; without it they change at once. */
  readonly effectiveDate?: string | undefined;
}

/** What happens at a store: each change has its event, for every partner that has the location. */
export interface StoreControls {
  /** The menus, as an operator of the store changes them. */
  readonly menu: {
    /**
     * Changes the menu of a location: `change` gets a copy, and edits it or returns another one. It gets a new
     * `version_hash` and `last_modified`, and `menu.changed` is sent, with `stock.updated` when the availability of
     * items changes. New items are in stock. Nothing is changed when `change` throws.
     *
     * @throws TypeError that names the first field of the changed menu that is none.
     */
    update(locationId: string, change: (menu: Menu) => unknown): Menu;
  };
  /** What is in stock, item by item. */
  readonly stock: {
    /** Changes the availability of an item, with `stock.updated`. */
    set(locationId: string, itemId: string, status: InventoryStatusName): void;
    /** Changes the availability of several items; emits one `stock.updated` for all of them. */
    setMany(locationId: string, statuses: Readonly<Record<string, InventoryStatusName>>): void;
  };
  /** Opening hours. */
  readonly hours: {
    /** Changes the opening hours of a location, with `location.hours_changed`. */
    set(locationId: string, hours: readonly DayHours[], options?: HoursOptions): void;
  };
  /** The locations themselves. */
  readonly locations: {
    /** Copies of all locations, inactive ones too. */
    list(): Location[];
    /**
     * Changes a location in mid-session: `{ online_ordering_enabled: false }`, `{ minimum_order_amounts: … }`,
     * `{ handoff_modes: ['PICKUP'] }`, `{ timezone: … }`, `{ active: false }`. No event is emitted.
     */
    update(locationId: string, change: LocationChange): Location;
  };
}

type InventoryStatusName = 'IN_STOCK' | 'LOW_STOCK' | 'OUT_OF_STOCK';

const STATUS: Check<InventoryStatusName> = oneOf('IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK');
const STATUSES = valuesOf(STATUS, 'an object of statuses by item id');
const HOURS_OPTIONS = objectOf<HoursOptions>(
  { effectiveDate: optional(matching('a day such as 2026-03-12', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)) },
  { called: 'option' },
);

const { business_hours: _, ...CHANGEABLE } = LOCATION_FIELDS;
const LOCATION_CHANGE: Check<LocationChange> = objectOf({
  ...optionalFields(CHANGEABLE),
  active: optional(trueOrFalse),
});

export function createStoreControls(state: () => ServiceState): StoreControls {
  const setStock = (locationId: string, statuses: Readonly<Record<string, InventoryStatus>>): void =>
    changeStock(state(), locationId, statuses);
  return {
    menu: { update: (locationId, change) => changeMenu(state(), locationId, change) },
    stock: {
      set: (locationId, itemId, status) => setStock(locationId, { [itemId]: demand('stock.set', status, STATUS) }),
      setMany: (locationId, statuses) => setStock(locationId, demand('stock.setMany', statuses, STATUSES)),
    },
    hours: {
      set(locationId, hours, options = {}) {
        demand('hours.set', hours, listOf(dayHours));
        const { effectiveDate = null } = demand('hours.set', options, HOURS_OPTIONS);
        changeHours(state(), locationId, hours, effectiveDate);
      },
    },
    locations: {
      list: () => [...state().locations.values()].map(({ location }) => structuredClone(location)),
      update(locationId, change) {
        locationNamed(state(), locationId);
        return changeLocation(state(), locationId, demand('locations.update', change, LOCATION_CHANGE));
      },
    },
  };
}
