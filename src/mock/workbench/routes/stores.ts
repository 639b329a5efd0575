import type { DayHours, Menu, MenuItem } from '../../../contract/index.js';
import type { HoursOptions, LocationChange, StoreControls } from '../../control/store.js';
import { availability } from '../../operations/stores/change-stock.js';
import { menuItems } from '../../rules/menu-items.js';
import type { LocationRecord } from '../../state/state.js';
import { type Bench, type ControlRoute, found } from '../control-route.js';
import { DONE, done, fields, listOf, ref } from '../schemas.js';

const STATUS = { enum: ['IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK'] } as const;

type Statuses = Parameters<StoreControls['stock']['setMany']>[1];

function locationNamed({ state }: Bench, id: string): LocationRecord {
  return found(state().locations.get(id.toLowerCase()), 'location', id, '/_mock/locations');
}

/** The menu with one item changed, wherever it stands. */
function changeItem(menu: Menu, itemId: string, change: Readonly<Record<string, unknown>>): void {
  const items = menuItems(menu).filter(({ id }) => id === itemId.toLowerCase());
  found(items[0], 'item', itemId, `/_mock/locations/${menu.location_id}/menu`);
  // By entries: a field called __proto__ is refused with the menu, and changes no prototype.
  for (const item of items) {
    for (const [name, value] of Object.entries(structuredClone(change))) {
      Object.defineProperty(item satisfies MenuItem, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
}

export const routes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/locations',
    name: 'listLocations',
    tag: 'Stores',
    summary: 'Every location, inactive ones too.',
    response: listOf(ref('Location')),
    run: (_, { service }) => service.locations.list(),
  },
  {
    method: 'POST',
    path: '/locations/{location_id}',
    name: 'changeLocation',
    tag: 'Stores',
    summary: 'Changes a location in mid-session; no event tells of it.',
    body: {
      type: 'object',
      description: 'Some fields of a location, and `active`.',
      examples: [{ online_ordering_enabled: false }],
    },
    response: ref('Location'),
    changes: 'stores',
    run({ params, body }, bench) {
      const { location } = locationNamed(bench, params.location_id!);
      return bench.service.locations.update(location.id, body as LocationChange);
    },
  },
  {
    method: 'POST',
    path: '/locations/{location_id}/hours',
    name: 'changeHours',
    tag: 'Stores',
    summary: 'Changes opening hours, with location.hours_changed.',
    body: fields({
      hours: listOf({ type: 'object' }),
      'effectiveDate?': { type: 'string', examples: ['2026-03-12'] },
    }),
    response: DONE,
    changes: 'stores',
    run({ params, body }, bench) {
      const { hours, ...options } = body as unknown as { hours: readonly DayHours[] } & HoursOptions;
      bench.service.hours.set(locationNamed(bench, params.location_id!).location.id, hours, options);
      return done;
    },
  },
  {
    method: 'GET',
    path: '/locations/{location_id}/menu',
    name: 'readMenu',
    tag: 'Stores',
    summary: 'The menu of a location.',
    response: ref('Menu'),
    run: ({ params }, bench) => locationNamed(bench, params.location_id!).menu,
  },
  {
    method: 'POST',
    path: '/locations/{location_id}/menu',
    name: 'changeMenu',
    tag: 'Stores',
    summary: 'Replaces the categories of a menu, with menu.changed.',
    body: fields({ categories: listOf({ type: 'object' }) }),
    response: ref('Menu'),
    changes: 'stores',
    run({ params, body }, bench) {
      const { location } = locationNamed(bench, params.location_id!);
      return bench.service.menu.update(location.id, (menu) => {
        menu.categories = body.categories as Menu['categories'];
      });
    },
  },
  {
    method: 'POST',
    path: '/locations/{location_id}/menu/items/{item_id}',
    name: 'changeMenuItem',
    tag: 'Stores',
    summary: 'Changes fields of one item, such as its price, with menu.changed.',
    body: {
      type: 'object',
      description: 'Some fields of a menu item.',
      examples: [{ base_price: { amount: 899, currency: 'USD' } }],
    },
    response: ref('Menu'),
    changes: 'stores',
    run({ params, body }, bench) {
      const { location } = locationNamed(bench, params.location_id!);
      return bench.service.menu.update(location.id, (menu) => changeItem(menu, params.item_id!, body));
    },
  },
  {
    method: 'GET',
    path: '/locations/{location_id}/stock',
    name: 'readStock',
    tag: 'Stores',
    summary: 'The availability of every item, by item id.',
    response: { type: 'object', additionalProperties: STATUS },
    run: ({ params }, bench) => Object.fromEntries(availability(locationNamed(bench, params.location_id!))),
  },
  {
    method: 'POST',
    path: '/locations/{location_id}/stock',
    name: 'changeStock',
    tag: 'Stores',
    summary: 'Changes the availability of items, told by one stock.updated.',
    body: fields({ statuses: { type: 'object', additionalProperties: STATUS } }),
    response: DONE,
    changes: 'stores',
    run({ params, body }, bench) {
      const { location } = locationNamed(bench, params.location_id!);
      bench.service.stock.setMany(location.id, body.statuses as Statuses);
      return done;
    },
  },
];
