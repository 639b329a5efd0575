import type { MockRequest } from '../kernel/message.js';
import { isObject } from '../refusals/read-fields.js';
import type { Json } from './turn.js';

/** The objects of the list under a name, to be changed in place. */
export const listIn = (body: Json, name: string): Json[] =>
  (Array.isArray(body[name]) ? (body[name] as unknown[]) : []).filter(isObject) as Json[];

/** Moves a value to another name. */
export function rename(body: Json, from: string, to: string): void {
  if (from === to || body[from] === undefined) return;
  body[to] = body[from];
  delete body[from];
}

/** Turns Money under a name into its cents. */
export function toCents(body: Json, name: string): void {
  const money = body[name];
  if (isObject(money)) body[name] = money.amount;
}

/** A request with some fields of its body changed. */
export function withFields(request: MockRequest, fields: Json): MockRequest {
  return { ...request, body: { ...(isObject(request.body) ? request.body : {}), ...fields } };
}

/** A request whose amount came as Money, for handlers that read cents; `undefined` when it did not. */
export function withCents(request: MockRequest): MockRequest | undefined {
  const amount = isObject(request.body) ? request.body.amount : undefined;
  return isObject(amount) ? withFields(request, { amount: amount.amount }) : undefined;
}
