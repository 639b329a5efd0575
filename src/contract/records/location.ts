import type { HandoffModeName } from './handoff.js';
import type { Money } from './money.js';
import type { Open } from './open-enum.js';

/**
 * A store.
 *
 * @see Interface document, "Location"; gap LOC-1 for the names of the fields
 */
export interface Location {
  /** UUID. */
  id: string;
  /** Name to show to customers. */
  name: string;
  /** Where the store is. */
  address: LocationAddress;
  /** E.164, for example `+15125551234`. */
  phone?: string | null;
  /** WGS 84; null when not known. */
  latitude?: number | null;
  /** WGS 84; null when not known. */
  longitude?: number | null;
  /** IANA name, for example `America/Chicago`: hours and sale windows of items are in this zone. */
  timezone: string;
  /** Do not offer a location with false to customers: its carts are refused. */
  online_ordering_enabled: boolean;
  /** Minutes. */
  default_prep_time_minutes?: number | null;
  /** Opening hours; a day may appear more than once (gap LOC-2). */
  business_hours?: DayHours[];
  /** Smallest total by mode; below it a fee of type `SMALL_ORDER` is added. Null means none (gap LOC-3). */
  minimum_order_amounts?: MinimumOrderAmounts | null;
  /** Modes that the location serves; absent means all (gap LOC-4). */
  handoff_modes?: Open<HandoffModeName>[];
}

/** Smallest total by handoff mode: `{ "DELIVERY": { "amount": 1500, "currency": "USD" } }` (gap LOC-3). */
export type MinimumOrderAmounts = { [Mode in HandoffModeName]?: Money | null };

/** Where a store is (gap LOC-1). */
export interface LocationAddress {
  /** Street and number. */
  street: string;
  /** Name of the city. */
  city: string;
  /** Two-letter code, for example `TX`. */
  state: string;
  /** Text as the country writes it, for example `78745`. */
  postal_code: string;
  /** Two-letter ISO 3166-1 code, for example `US`. */
  country: string;
}

/** The known values of {@link DayOfWeek}. */
export const DAYS_OF_WEEK = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

/** Day of the week in opening hours. */
export type DayOfWeek = Open<(typeof DAYS_OF_WEEK)[number]>;

/** Opening hours of one day, in the location's time zone (gap LOC-2). */
export interface DayHours {
  /** The day on which the store opens. */
  day_of_week: DayOfWeek;
  /** `HH:MM`, 24-hour. */
  open_time: string;
  /** `HH:MM`, 24-hour; not after `open_time` means after midnight. */
  close_time: string;
  /** True when the store is closed that day, whatever the times say. */
  is_closed: boolean;
}
