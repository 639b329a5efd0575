// Records that are given to the service by its user: menus, locations, hours. Fields beyond these pass, and so do enum
// enum values that are not known yet: the interface document allows both.
import type {
  DayHours,
  Location,
  LocationAddress,
  Menu,
  MenuCategory,
  MenuItem,
  Modifier,
  ModifierGroup,
  Money,
} from '../../contract/index.js';
import {
  type Check,
  lazily,
  listOf,
  matching,
  nullOr,
  objectOf,
  oneOf,
  optional,
  type Shape,
  text,
  trueOrFalse,
  valuesOf,
  valueThat,
  wholeNumber,
} from './check.js';

const OPEN = { open: true };

export const uuid = matching(
  'a UUID such as 5f0c2b1e-6a94-4d0e-9f7b-3f1c2a7b8d11',
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
);

export const cents = wholeNumber(0, 'whole cents, from 0 on');

export const money: Check<Money> = objectOf<Money>({ amount: cents, currency: oneOf('USD') }, OPEN);

const clockTime = matching('a time HH:MM, from 00:00 to 24:00', /^(([01]?\d|2[0-3]):[0-5]\d|24:00)$/);

export const dayHours: Check<DayHours> = objectOf<DayHours>(
  {
    day_of_week: oneOf('MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'),
    open_time: clockTime,
    close_time: clockTime,
    is_closed: trueOrFalse,
  },
  OPEN,
);

export const timezone: Check<string> = valueThat('an IANA time zone such as America/Chicago', (value) => {
  try {
    return typeof value === 'string' && new Intl.DateTimeFormat('en-US', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
});

const anyText: Check<string> = valueThat('a text', (value) => typeof value === 'string');
const anyNumber: Check<number> = valueThat('a number', (value) => Number.isFinite(value));

const modifier: Check<Modifier> = objectOf<Modifier>(
  {
    id: uuid,
    name: text,
    price: money,
    available: optional(trueOrFalse),
    is_default: optional(trueOrFalse),
    modifier_groups: optional(lazily('a list of modifier groups', () => groups)),
  } as Shape<Modifier>,
  OPEN,
);

const groups = listOf(
  objectOf<ModifierGroup>(
    {
      id: uuid,
      name: text,
      min_selections: wholeNumber(0, 'a whole number from 0 on'),
      max_selections: wholeNumber(0, 'a whole number from 0 on'),
      allows_duplicates: trueOrFalse,
      modifiers: listOf(modifier) as Check<Modifier[]>,
    },
    OPEN,
  ),
) as Check<ModifierGroup[]>;

export const menuItem: Check<MenuItem> = objectOf<MenuItem>(
  {
    id: uuid,
    name: text,
    description: anyText,
    base_price: money,
    available: trueOrFalse,
    age_verification_required: trueOrFalse,
    minimum_age: nullOr(wholeNumber(0, 'whole years')),
    max_allowed_quantity: nullOr(wholeNumber(1, 'a whole number from 1 on')),
    tender_restriction_level: nullOr(text),
    allowed_tenders: nullOr(listOf(text) as Check<string[]>),
    non_discountable: optional(trueOrFalse),
    // Other forms are accepted: what a client makes of them is worth a test.
    daily_sales_start_time: nullOr(anyText),
    daily_sales_end_time: nullOr(anyText),
    modifier_groups: optional(groups),
  } as Shape<MenuItem>,
  OPEN,
);

const category: Check<MenuCategory> = objectOf<MenuCategory>(
  {
    id: uuid,
    name: text,
    description: optional(nullOr(anyText)),
    sort_order: anyNumber,
    items: listOf(menuItem) as Check<MenuItem[]>,
  } as Shape<MenuCategory>,
  OPEN,
);

/** The part of a menu that its owner decides; hash and time are the service's. */
export const menuContent: Check<Pick<Menu, 'categories'>> = objectOf<Pick<Menu, 'categories'>>(
  { categories: listOf(category) as Check<MenuCategory[]> },
  OPEN,
);

const address: Check<LocationAddress> = objectOf<LocationAddress>(
  { street: text, city: text, state: text, postal_code: text, country: text },
  OPEN,
);

type LocationFields = Required<Omit<Location, 'id'>>;

/** Fields of a location, without its id. */
export const LOCATION_FIELDS = {
  name: text,
  address,
  phone: optional(nullOr(text)),
  latitude: optional(nullOr(anyNumber)),
  longitude: optional(nullOr(anyNumber)),
  timezone,
  online_ordering_enabled: trueOrFalse,
  default_prep_time_minutes: optional(nullOr(wholeNumber(0, 'whole minutes'))),
  business_hours: optional(listOf(dayHours) as Check<DayHours[]>),
  minimum_order_amounts: optional(nullOr(valuesOf(nullOr(money), 'amounts by mode, such as { DELIVERY: … }'))),
  handoff_modes: optional(listOf(oneOf('PICKUP', 'CURBSIDE', 'DELIVERY', 'KIOSK')) as Check<string[]>),
} as Shape<LocationFields>;

export const TENDER_ENFORCEMENT = valueThat<boolean | 'payment' | 'checkout' | 'cart'>(
  "true, false, 'payment', 'checkout' or 'cart'",
  (value) => typeof value === 'boolean' || value === 'payment' || value === 'checkout' || value === 'cart',
);
