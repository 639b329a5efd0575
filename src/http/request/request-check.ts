import { type RequestProblem, RequestValidationError } from '../../errors/local.js';
import type { ResponseIssue } from '../../errors/response.js';
import { checksOf } from '../contract/checks-of.js';
import { fieldPath, loadContract, type SchemaIssue } from '../contract/load-contract.js';
import type { Operation } from '../exchange/operation.js';
import { CALL_OPTIONS } from './call-option-names.js';

/** Options of the SDK that are easily put among the fields of a body or a query, where they would have no effect. */
const OPTION_NAMES: ReadonlySet<string> = new Set(['maxWait', ...CALL_OPTIONS.filter((name) => name !== 'query')]);

/** Refuses an SDK option that stands where fields of the wire belong. */
export function refuseOptionNames(operation: Operation, place: 'body' | 'query', value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  // By the fields, of which a body has few: looking for each option costs a hundredth of a write.
  for (const name in value)
    if (OPTION_NAMES.has(name) && Object.hasOwn(value, name)) throw optionIn(operation, place, name);
}

function optionIn(operation: Operation, place: 'body' | 'query', slip: string): RequestValidationError {
  return new RequestValidationError(
    `${operation.name} was not sent: "${slip}" is an option of the SDK and stands in the ${place}. ` +
      'Pass it in the last argument of the method instead.',
    { problems: [{ field: slip, message: `is an option; pass it in the last argument, not in the ${place}` }] },
  );
}

/**
 * Refuses a body that the service would refuse, with every problem at once and the service's field paths.
 *
 * @param isRaw - True for a body that is sent as it is.
 * @returns Nothing when the body fits. Otherwise the schemas are loaded, which can name the problems, and the promise gives
 *   the fields whose value is newer than this package: they are sent, and reported as a drift.
 */
export function checkRequestBody(
  operation: Operation,
  body: unknown,
  isRaw = false,
): undefined | Promise<readonly ResponseIssue[]> {
  refuseOptionNames(operation, 'body', body);
  const fits = isRaw ? undefined : checksOf(operation)?.request;
  return !fits || fits(body) ? undefined : namedProblems(operation, body);
}

const NONE: readonly ResponseIssue[] = [];

async function namedProblems(operation: Operation, body: unknown): Promise<readonly ResponseIssue[]> {
  const schema = (await loadContract())[operation.name]?.request?.();
  if (!schema) return NONE;
  const { success, error } = schema.safeParse(body);
  if (success || !error) return NONE;
  if (error.issues.every((issue) => isNewValue(issue, body))) {
    return error.issues.map(({ path }) => ({ path: `request ${fieldPath(path)}`, kind: 'new_value' }));
  }

  const problems: RequestProblem[] = error.issues.map(({ path, message }) => ({
    field: fieldPath(path) || null,
    message,
  }));
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, in "problems")` : '';
  const where = first?.field ? `"${first.field}": ` : '';
  throw new RequestValidationError(`${operation.name} was not sent: ${where}${first?.message}${more}.`, { problems });
}

/** What the service calls a value: `CREDIT_CARD`, `order.created`. */
const VALUE = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*|[a-z]+(?:_[a-z]+)*(?:\.[a-z]+(?:_[a-z]+)*)+)$/;

/**
 * True for a value of an enumeration that the service may know and this package does not (interface document,
 * "Versioning" 3). Types refuse it, so it was sent on purpose. One that is a known value written differently
 * (`CREDITCARD`, `pickup`) is a slip.
 */
function isNewValue({ code, path, message }: SchemaIssue, body: unknown): boolean {
  if (code !== 'invalid_union' && code !== 'invalid_value') return false;
  const value = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], body);
  if (typeof value !== 'string' || !VALUE.test(value)) return false;
  // The message names the known values.
  return !message.split(/[\s,]+/).some((word) => lettersOf(word) === lettersOf(value));
}

function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
