import { RequestValidationError } from '../errors/local.js';

/** What was given for a location or an item, once it is an object. The message is short: it is in the bundle for webhooks. */
export function givenRecord<Given>(name: string, value: Given, what: string): Given {
  if (typeof value === 'object' && value !== null) return value;
  const message = `"${name}" is no object; give ${what}.`;
  throw new RequestValidationError(message, { problems: [{ field: name, message }] });
}
