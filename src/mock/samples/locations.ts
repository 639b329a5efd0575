import type { DayHours, InventoryStatus, Location } from '../../contract/index.js';
import { usd } from '../rules/amounts.js';
import type { LocationPricing, LocationRecord } from '../state/state.js';
import { buildMenu, menuId } from './build-menu.js';
import { itemRow, sampleItems } from './menu-table.js';
import { locationId, type SampleLocation } from './sample-ids.js';

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

interface LocationRow {
  readonly location: Omit<Location, 'id'>;
  /** Basis points for everything that is not a grocery. */
  readonly taxBasisPoints: number;
  readonly pricing: Omit<LocationPricing, 'taxBasisPoints'>;
  readonly autoAcceptsKiosk: boolean;
}

const LOCATION_ROWS: Readonly<Record<SampleLocation, LocationRow>> = {
  downtown: {
    location: {
      name: 'QuickFuel Congress Avenue',
      address: { street: '4521 Congress Ave', city: 'Austin', state: 'TX', postal_code: '78745', country: 'US' },
      phone: '+15125550142',
      latitude: 30.2277,
      longitude: -97.7553,
      timezone: 'America/Chicago',
      online_ordering_enabled: true,
      default_prep_time_minutes: 15,
      business_hours: hours(() => ['05:00', '23:00']),
      minimum_order_amounts: { PICKUP: null, CURBSIDE: usd(500), DELIVERY: usd(1500), KIOSK: null },
      handoff_modes: ['PICKUP', 'CURBSIDE', 'DELIVERY', 'KIOSK'],
    },
    taxBasisPoints: 825,
    pricing: { deliveryFee: 399, serviceFeeBasisPoints: 300, bagFee: 10 },
    autoAcceptsKiosk: false,
  },
  harbor: {
    location: {
      name: 'Harbor Point Fuel & Market',
      address: { street: '1180 Dock Street', city: 'Tacoma', state: 'WA', postal_code: '98402', country: 'US' },
      phone: '+12535550117',
      latitude: 47.2511,
      longitude: -122.4312,
      timezone: 'America/Los_Angeles',
      online_ordering_enabled: true,
      default_prep_time_minutes: 10,
      // Closes after midnight at the week's end: a close that is not after the open (gap LOC-2).
      business_hours: hours((day) =>
        day === 'FRIDAY' || day === 'SATURDAY' ? ['06:00', '02:00'] : ['06:00', '22:00'],
      ),
      minimum_order_amounts: { PICKUP: usd(300), CURBSIDE: usd(1000), DELIVERY: null, KIOSK: null },
      handoff_modes: ['PICKUP', 'CURBSIDE', 'KIOSK'],
    },
    taxBasisPoints: 1030,
    pricing: { deliveryFee: 0, serviceFeeBasisPoints: 200, bagFee: 8 },
    autoAcceptsKiosk: true,
  },
  closed: {
    location: {
      name: 'Elmwood Corner Store',
      address: { street: '77 Elmwood Avenue', city: 'Buffalo', state: 'NY', postal_code: '14201', country: 'US' },
      phone: '+17165550163',
      latitude: 42.8988,
      longitude: -78.8775,
      timezone: 'America/New_York',
      online_ordering_enabled: false,
      default_prep_time_minutes: null,
      business_hours: hours((day) => (day === 'SUNDAY' ? null : ['07:00', '21:00'])),
      minimum_order_amounts: null,
      handoff_modes: ['PICKUP'],
    },
    taxBasisPoints: 875,
    pricing: { deliveryFee: 0, serviceFeeBasisPoints: 0, bagFee: 5 },
    autoAcceptsKiosk: false,
  },
};

/** The sample locations, each with its menu and its stock. `updatedAt` is an ISO 8601 date-time. */
export function sampleLocations(seed: number, updatedAt: string): LocationRecord[] {
  return Object.entries(LOCATION_ROWS).map(([key, row]) => {
    const id = locationId(seed, key as SampleLocation);
    return {
      location: { id, ...structuredClone(row.location) },
      menu: buildMenu(seed, id, updatedAt),
      stock: sampleStock(seed, updatedAt),
      pricing: { ...row.pricing, taxBasisPoints: taxTable(seed, row.taxBasisPoints) },
      autoAcceptsKiosk: row.autoAcceptsKiosk,
      active: true,
    };
  });
}

function sampleStock(seed: number, updatedAt: string): LocationRecord['stock'] {
  const stock = new Map<string, { status: InventoryStatus; updatedAt: string }>();
  for (const item of sampleItems) {
    const { stock: status = 'IN_STOCK' } = itemRow(item);
    if (status !== null) stock.set(menuId(seed, item), { status, updatedAt });
  }
  return stock;
}

function taxTable(seed: number, basisPoints: number): LocationPricing['taxBasisPoints'] {
  const untaxed = sampleItems.filter((item) => itemRow(item).untaxed).map((item) => [menuId(seed, item), 0]);
  return { ...Object.fromEntries(untaxed), default: basisPoints };
}

function hours(of: (day: (typeof DAYS)[number]) => readonly [string, string] | null): DayHours[] {
  return DAYS.map((day) => {
    const [open_time, close_time] = of(day) ?? ['00:00', '00:00'];
    return { day_of_week: day, open_time, close_time, is_closed: of(day) === null };
  });
}
