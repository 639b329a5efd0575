import { z } from 'zod';
import {
  type CurbsideHandoff,
  type DeliveryAddress,
  type DeliveryHandoff,
  HANDOFF_MODES,
  type HandoffMode,
  type KioskHandoff,
  type PickupHandoff,
} from '../records/handoff.js';
import { annotate } from './annotation.js';
import { once } from './once.js';
import { type Fields, record } from './record.js';
import { isInstant, missingFieldsOfMode } from './rules.js';
import { explain, explainUnion } from './scalars.js';

/** Schema of {@link DeliveryAddress} in a response. */
const storedAddressSchema = once(() =>
  record<DeliveryAddress>({
    street: z.string(),
    city: z.string(),
    state: z.string(),
    postal_code: z.string(),
    country: z.string().optional(),
  }),
);

/**
 * Schema of {@link HandoffMode} in a response: the fields of the four modes are checked, a mode to come is taken too.
 */
export const handoffModeSchema = once(
  () =>
    z
      .looseObject({
        mode: z.string().min(1),
        pickup_time: annotate(z.string(), { format: 'date-time' }).nullish(),
        vehicle_make: z.string().nullish(),
        vehicle_model: z.string().nullish(),
        vehicle_color: z.string().nullish(),
        delivery_address: storedAddressSchema().nullish(),
        delivery_instructions: z.string().nullish(),
        kiosk_id: z.string().nullish(),
      })
      .check(hasFieldsOfMode) as unknown as z.ZodType<HandoffMode>,
);

/** The rule `missingFieldsOfMode` as a check of the schema. */
export function hasFieldsOfMode({ value, issues }: z.core.ParsePayload<{ readonly mode: string }>): void {
  for (const field of missingFieldsOfMode(value)) {
    const input = (value as Readonly<Record<string, unknown>>)[field];
    issues.push({ code: 'custom', path: [field], message: `is missing in mode ${value.mode}`, input });
  }
}

/** Schema of a {@link HandoffMode} to send: refuses missing and extra fields, as the service does (422). */
export const handoffModeRequestSchema = once((): z.ZodType<HandoffMode> => {
  const modes = [
    closedRecord<PickupHandoff>('a PICKUP handoff', { mode: z.literal('PICKUP'), pickup_time: pickupTime() }),
    closedRecord<CurbsideHandoff>('a CURBSIDE handoff', {
      mode: z.literal('CURBSIDE'),
      vehicle_make: required('the make of the vehicle'),
      vehicle_model: required('the model of the vehicle'),
      vehicle_color: required('the color of the vehicle'),
      pickup_time: pickupTime(),
    }),
    closedRecord<DeliveryHandoff>('a DELIVERY handoff', {
      mode: z.literal('DELIVERY'),
      delivery_address: deliveryAddressRequestSchema(),
      delivery_instructions: optionalText('the instructions for the driver'),
    }),
    closedRecord<KioskHandoff>('a KIOSK handoff', {
      mode: z.literal('KIOSK'),
      kiosk_id: optionalText('the id of the kiosk'),
    }),
  ];
  const error = explainUnion('a handoff: an object with `mode`', HANDOFF_MODES);
  const union = z.discriminatedUnion('mode', modes as unknown as [z.ZodObject], { error });
  return union as unknown as z.ZodType<HandoffMode>;
});

/** Schema of a {@link DeliveryAddress} to send. */
export const deliveryAddressRequestSchema = once(() =>
  closedRecord<DeliveryAddress>('a delivery address', {
    street: required('the street with number, apartment and suite'),
    city: required('the city'),
    state: twoLetters('code of the state, such as TX'),
    postal_code: required('the postal code'),
    country: twoLetters('ISO 3166-1 code of the country, such as US').optional(),
  }),
);

/**
 * An object that takes the fields of `Type` only. An extra field is reported at its own path; one that is `undefined`
 * is none, since it is not sent.
 */
function closedRecord<Type extends object>(name: string, fields: Fields<Type>): z.ZodType<Type> {
  const names = Object.keys(fields).join(', ');
  const extra = z.undefined({ error: `is not a field of ${name}; leave it out (the fields are ${names})` });
  const object = z.object(fields, { error: explain(`${name}: an object with the fields ${names}`) }).catchall(extra);
  return object as unknown as z.ZodType<Type>;
}

function pickupTime() {
  const error = explain(
    'an ISO 8601 date-time with its offset such as 2026-01-31T10:00:00Z, or null for as soon as possible',
  );
  return annotate(z.string({ error }).refine(isInstant, { error }), { format: 'date-time' }).nullish();
}

function required(meaning: string) {
  const error = explain(`text that is not empty: ${meaning}`);
  return z.string({ error }).regex(/\S/, { error });
}

function optionalText(meaning: string) {
  return z.string({ error: explain(`text or null: ${meaning}`) }).nullish();
}

function twoLetters(meaning: string) {
  const error = explain(`a two-letter ${meaning}`);
  return z.string({ error }).regex(/^[A-Za-z]{2}$/, { error });
}
