/**
 * Rules of fields that a type cannot say. They stand apart from the schemas, since the checks that are compiled from those
 * use them without zod (`http/contract/compiled-checks.ts`).
 */

/** A date-time in a response, as ISO 8601 writes it; whatever its precision and its offset are. */
export const ISO_DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/** gap BODY-3: without an offset, or as a date alone, it would mean another instant on another machine. */
export function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/i.test(text) && !Number.isNaN(Date.parse(text));
}

/** True for an address that a subscription may have. */
export function isHttpsAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}

/** Most characters of `special_instructions` ("Limits"). */
export const INSTRUCTIONS_CHARACTERS = 200;

/** gap BODY-1: an emoji of two UTF-16 units is one character, so that nothing is refused that the service may take. */
export function areShortInstructions(text: string): boolean {
  return text.length <= INSTRUCTIONS_CHARACTERS || [...text].length <= INSTRUCTIONS_CHARACTERS;
}

const REQUIRED_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['CURBSIDE', ['vehicle_make', 'vehicle_model', 'vehicle_color']],
  ['DELIVERY', ['delivery_address']],
]);

/** The fields that a handoff of its mode must have, and has not. */
export function missingFieldsOfMode(handoff: Readonly<Record<string, unknown>>): readonly string[] {
  const required = REQUIRED_FIELDS.get(handoff.mode);
  return required ? required.filter((field) => handoff[field] == null) : NONE;
}

const NONE: readonly string[] = [];
