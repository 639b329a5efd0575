import { RequestValidationError } from '../errors/local.js';
import { notAs } from '../platform/kind-of.js';

/** What was given for a location or an item, once it is an object. */
export function givenRecord<Given>(name: string, value: Given, what: string): Given {
  if (typeof value === 'object' && value !== null) return value;
  const message = notAs(`"${name}"`, value, what);
  throw new RequestValidationError(message, { problems: [{ field: name, message }] });
}
