import { type RequestProblem, RequestValidationError } from '../../errors/local.js';
import { fieldPath, type OperationContract } from '../contract/load-contract.js';
import type { Operation } from '../exchange/operation.js';

/** Options of the SDK that are easily put among the fields of a body or a query, where they would have no effect. */
const OPTION_NAMES = [
  'idempotencyKey',
  'timeout',
  'deadline',
  'maxWait',
  'maxRetries',
  'signal',
  'headers',
  'prefetch',
];

/** Refuses an SDK option that stands where fields of the wire belong. */
export function refuseOptionNames(operation: Operation, place: 'body' | 'query', value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const slip = OPTION_NAMES.find((name) => Object.hasOwn(value, name));
  if (slip === undefined) return;
  throw new RequestValidationError(
    `${operation.name} was not sent: "${slip}" is an option of the SDK and stands in the ${place}. ` +
      'Pass it in the last argument of the method instead.',
    { problems: [{ field: slip, message: `is an option; pass it in the last argument, not in the ${place}` }] },
  );
}

/** Refuses a body that the service would refuse, with every problem at once and the service's field paths. */
export function checkRequestBody(operation: Operation, contract: OperationContract | undefined, body: unknown): void {
  refuseOptionNames(operation, 'body', body);
  const schema = contract?.request?.();
  if (!schema) return;
  const { success, error } = schema.safeParse(body);
  if (success || !error) return;

  const problems: RequestProblem[] = error.issues.map(({ path, message }) => ({
    field: fieldPath(path) || null,
    message,
  }));
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, in "problems")` : '';
  const where = first?.field ? `"${first.field}": ` : '';
  throw new RequestValidationError(`${operation.name} was not sent: ${where}${first?.message}${more}.`, { problems });
}
