import { z } from 'zod';
import { HANDOFF_MODES } from '../records/handoff.js';
import {
  DAYS_OF_WEEK,
  type DayHours,
  type Location,
  type LocationAddress,
  type MinimumOrderAmounts,
} from '../records/location.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';
import { id } from './scalars.js';

/** Schema of {@link DayHours}. */
export const dayHoursSchema = once(() =>
  record<DayHours>({
    day_of_week: openEnum(DAYS_OF_WEEK),
    open_time: z.string(),
    close_time: z.string(),
    is_closed: z.boolean(),
  }),
);

/** Schema of {@link LocationAddress}. */
export const locationAddressSchema = once(() =>
  record<LocationAddress>({
    street: z.string(),
    city: z.string(),
    state: z.string(),
    postal_code: z.string(),
    country: z.string(),
  }),
);

/** Schema of {@link MinimumOrderAmounts}. */
export const minimumOrderAmountsSchema = once(
  () => z.record(z.string(), moneySchema().nullable()) as unknown as z.ZodType<MinimumOrderAmounts>,
);

/** Schema of {@link Location}. */
export const locationSchema = once(() =>
  record<Location>({
    id: id(),
    name: z.string(),
    address: locationAddressSchema(),
    phone: z.string().nullish(),
    latitude: z.number().nullish(),
    longitude: z.number().nullish(),
    timezone: z.string().min(1),
    online_ordering_enabled: z.boolean(),
    default_prep_time_minutes: z.int().nullish(),
    business_hours: z.array(dayHoursSchema()).optional(),
    minimum_order_amounts: minimumOrderAmountsSchema().nullish(),
    handoff_modes: z.array(openEnum(HANDOFF_MODES)).optional(),
  }),
);
