import type { HandoffMode, Location } from '../../contract/index.js';
import { isObject, type JsonObject, readBody } from '../refusals/read-fields.js';
import type { Refusal } from '../refusals/refusal.js';
import { invalidBody, unprocessable } from '../refusals/refusal.js';

type Kind = 'text' | 'nullable text' | 'nullable date-time' | 'address';

interface FieldRule {
  readonly kind: Kind;
  readonly required: boolean;
}

const REQUIRED_TEXT: FieldRule = { kind: 'text', required: true };
const OPTIONAL_TEXT: FieldRule = { kind: 'nullable text', required: false };
const PICKUP_TIME: FieldRule = { kind: 'nullable date-time', required: false };

/** The table of HandoffMode, field by field. */
const FIELDS_BY_MODE: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  PICKUP: { pickup_time: PICKUP_TIME },
  CURBSIDE: {
    vehicle_make: REQUIRED_TEXT,
    vehicle_model: REQUIRED_TEXT,
    vehicle_color: REQUIRED_TEXT,
    pickup_time: PICKUP_TIME,
  },
  DELIVERY: {
    delivery_address: { kind: 'address', required: true },
    delivery_instructions: OPTIONAL_TEXT,
  },
  KIOSK: { kiosk_id: OPTIONAL_TEXT },
};

const ADDRESS_FIELDS: Readonly<Record<string, FieldRule>> = {
  street: REQUIRED_TEXT,
  city: REQUIRED_TEXT,
  state: REQUIRED_TEXT,
  postal_code: REQUIRED_TEXT,
  country: { kind: 'text', required: false },
};

const DEFAULT_COUNTRY = 'US';
const TWO_LETTERS = /^[A-Za-z]{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Reads a handoff body. Missing, extra and unknown fields are 422, wrong types 400, each with the field's path.
 *
 * @param path - What stands in front of a field's name: `''` for the handoff endpoint, `'handoff_mode.'` at checkout.
 */
export function readHandoff(value: unknown, path = ''): HandoffMode {
  const body = readBody(value);
  const rules = rulesOfMode(body, `${path}mode`);
  checkFields({ object: body, rules: { mode: REQUIRED_TEXT, ...rules }, path, owner: `${String(body.mode)} handoff` });
  if (body.mode !== 'DELIVERY') return { ...body } as unknown as HandoffMode;
  return { ...body, delivery_address: readAddress(body.delivery_address, path) } as unknown as HandoffMode;
}

/** A mode that the location does not serve is refused (gap LOC-4). */
export function checkServedMode(location: Location, handoff: HandoffMode, path = ''): void {
  if (location.handoff_modes?.includes(handoff.mode) ?? true) return;
  throw unprocessable(
    'Handoff mode not served',
    `"${location.name}" serves ${location.handoff_modes?.join(', ')}, not ${handoff.mode}.`,
    `${path}mode`,
  );
}

function rulesOfMode(body: JsonObject, field: string): Readonly<Record<string, FieldRule>> {
  const { mode } = body;
  if (mode === undefined || mode === null) throw missing(field, 'A handoff body names its mode.');
  if (typeof mode !== 'string') throw invalidBody(field, `${field} must be a string.`);
  const rules = Object.hasOwn(FIELDS_BY_MODE, mode) ? FIELDS_BY_MODE[mode] : undefined;
  if (!rules) {
    const detail = `"${mode}" is none of ${Object.keys(FIELDS_BY_MODE).join(', ')}.`;
    throw unprocessable('Unknown handoff mode', detail, field);
  }
  return rules;
}

interface FieldsCheck {
  readonly object: JsonObject;
  readonly rules: Readonly<Record<string, FieldRule>>;
  readonly path: string;
  /** What the fields belong to, in words. */
  readonly owner: string;
}

function checkFields({ object, rules, path, owner }: FieldsCheck): void {
  for (const name of Object.keys(object)) {
    if (Object.hasOwn(rules, name)) continue;
    throw unprocessable('Unexpected field', `A ${owner} has no field "${name}".`, `${path}${name}`);
  }
  for (const [name, rule] of Object.entries(rules)) {
    const value = object[name];
    // Null is "not given" where a field is required, and a value of its own where it may be null.
    if (value === undefined || (value === null && rule.required)) {
      if (rule.required) throw missing(`${path}${name}`, `A ${owner} needs "${name}".`);
      continue;
    }
    checkKind(value, rule.kind, `${path}${name}`);
  }
}

function checkKind(value: unknown, kind: Kind, field: string): void {
  if (value === null && kind.startsWith('nullable')) return;
  if (kind === 'address') {
    if (!isObject(value)) throw invalidBody(field, `${field} must be an object.`);
    return;
  }
  if (typeof value !== 'string') throw invalidBody(field, `${field} must be a string.`);
  if (kind === 'nullable date-time' && !isDateTime(value)) {
    throw invalidBody(field, `${field} must be an ISO 8601 date-time, such as 2026-01-31T17:30:00Z.`);
  }
}

/** Content is stored as given; only the codes of state and country are held to two letters (gap CART-7). */
function readAddress(value: unknown, path: string): JsonObject {
  const at = `${path}delivery_address.`;
  const address = value as JsonObject;
  checkFields({ object: address, rules: ADDRESS_FIELDS, path: at, owner: 'delivery address' });
  for (const name of ['state', 'country']) {
    const code = address[name];
    if (code === undefined || TWO_LETTERS.test(String(code))) continue;
    throw unprocessable('Invalid delivery address', `${at}${name} must be a two-letter code.`, `${at}${name}`);
  }
  return { ...address, country: address.country ?? DEFAULT_COUNTRY };
}

function isDateTime(text: string): boolean {
  if (!DATE_TIME.test(text) || Number.isNaN(Date.parse(text))) return false;
  // Date takes 30 February for 2 March.
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function missing(field: string, detail: string): Refusal {
  return unprocessable(`Missing required field: ${field}`, detail, field);
}
