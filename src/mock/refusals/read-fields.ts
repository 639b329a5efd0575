import { invalidBody, missingField } from './refusal.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
export const isUuidV4 = (value: unknown): value is string => typeof value === 'string' && UUID_V4.test(value);

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body as an object; no body at all counts as an empty one, so that its first required field is named. */
export function readBody(body: unknown): JsonObject {
  if (body === undefined) return {};
  if (!isObject(body)) throw invalidBody(null, 'The body must be a JSON object.');
  return body;
}

/** `at` is the path in front of the field for error messages: `modifier_selections[0].`. */
export function requireString(body: JsonObject, field: string, at = ''): string {
  const value = body[field];
  if (value === undefined || value === null) throw missingField(`${at}${field}`);
  if (typeof value !== 'string') throw invalidBody(`${at}${field}`, `${at}${field} must be a string.`);
  return value;
}

export function requireUuid(body: JsonObject, field: string, at = ''): string {
  const value = requireString(body, field, at);
  if (!isUuid(value)) throw invalidBody(`${at}${field}`, `${at}${field} must be a UUID.`);
  return value;
}

export function requireInteger(body: JsonObject, field: string, at = ''): number {
  const value = body[field];
  if (value === undefined || value === null) throw missingField(`${at}${field}`);
  if (!Number.isSafeInteger(value)) throw invalidBody(`${at}${field}`, `${at}${field} must be an integer.`);
  return value as number;
}

export function requireArray(body: JsonObject, field: string, at = ''): readonly unknown[] {
  const value = body[field];
  if (value === undefined || value === null) throw missingField(`${at}${field}`);
  if (!Array.isArray(value)) throw invalidBody(`${at}${field}`, `${at}${field} must be an array.`);
  return value;
}

/** A string, or null when it is null or was not sent. */
export function optionalString(body: JsonObject, field: string, at = ''): string | null {
  const value = body[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalidBody(`${at}${field}`, `${at}${field} must be a string or null.`);
  return value;
}
