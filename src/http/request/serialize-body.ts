import { RequestValidationError } from '../../errors/local.js';
import type { Operation } from '../exchange/operation.js';

/** The body's JSON, made once: every attempt of an operation sends the same bytes. */
export function serializeBody({ name }: Operation, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const text = toJson(name, body);
  if (text !== undefined) return text;
  throw refusal(name, 'it is not a value that JSON can hold');
}

function toJson(name: string, body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    // The engine's message quotes property names and constructors of the caller's data.
    throw refusal(name, 'it contains itself, or a BigInt');
  }
}

function refusal(name: string, problem: string): RequestValidationError {
  return new RequestValidationError(`${name} was not sent: its body cannot be written as JSON, since ${problem}.`, {
    problems: [{ field: null, message: `the body cannot be written as JSON: ${problem}` }],
  });
}
