import type { JsonObject } from '../refusals/read-fields.js';
import { invalidBody, missingField, unprocessable } from '../refusals/refusal.js';

const LONGEST = 255;
const ALLOWED = /^[A-Za-z0-9_-]+$/;

/** Reads `customer_id` where it may be left out; null means anonymous. */
export function readOptionalCustomerId(body: JsonObject): string | null {
  return body.customer_id === undefined ? null : readCustomerId(body);
}

/** Reads `customer_id`: null, or at most 255 letters, digits, hyphens and underscores. */
export function readCustomerId(body: JsonObject): string | null {
  const value = body.customer_id;
  if (value === null) return null;
  if (value === undefined) throw missingField('customer_id');
  if (typeof value !== 'string') throw invalidBody('customer_id', 'customer_id must be a string or null.');
  // The values themselves stay out of the messages: they identify a customer.
  if (value.length > LONGEST) {
    throw unprocessable('Customer ID too long', `customer_id takes at most ${LONGEST} characters.`, 'customer_id');
  }
  if (!ALLOWED.test(value)) {
    const detail = 'customer_id takes letters, digits, hyphens and underscores only.';
    throw unprocessable('Invalid customer ID format', detail, 'customer_id');
  }
  return value;
}
