import { issuesOf, loadContract } from '../../http/contract/load-contract.js';
import { type Answer, isObject } from '../../wire/wire.js';
import { Differs } from '../result.js';
import { described, errorOf, insist, type Reply, type Scene } from '../scene.js';

/** One row of the interface document, as something that can be tried. */
export interface Check {
  readonly section: string;
  /** A sentence that is true of the service. */
  readonly row: string;
  /** @throws Differs what is otherwise, CannotTry why it could not be tried. */
  run(scene: Scene): Promise<void>;
}

/** The checks of one section. */
export const section = (name: string, rows: Readonly<Record<string, (scene: Scene) => Promise<void>>>): Check[] =>
  Object.entries(rows).map(([row, run]) => ({ section: name, row, run }));

const CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST_ERROR',
  401: 'AUTHENTICATION_ERROR',
  403: 'AUTHENTICATION_ERROR',
  404: 'NOT_FOUND_ERROR',
  409: 'CONFLICT_ERROR',
  422: 'INVALID_REQUEST_ERROR',
};

/** The answer is a refusal with this status, its code, and the whole error envelope. */
export function refusedWith(answer: Answer, ...statuses: readonly number[]): void {
  insist(statuses.includes(answer.status), `expected ${statuses.join(' or ')}, answered ${described(answer)}`);
  const { code, message, request_id } = errorOf(answer);
  insist(code === CODES[answer.status], `the code is ${String(code)}, not ${CODES[answer.status]}`);
  insist(typeof message === 'string' && message !== '', 'the error has no message');
  insist(typeof request_id === 'string' && request_id !== '', 'the error has no request_id');
}

/** The answer has this status. */
export function answeredWith(answer: Answer, ...statuses: readonly number[]): void {
  insist(statuses.includes(answer.status), `expected ${statuses.join(' or ')}, answered ${described(answer)}`);
}

/** The body is as the contract says. */
export async function asInContract(endpoint: string, reply: Reply<unknown>): Promise<void> {
  const schema = (await loadContract())[endpoint]?.response?.();
  if (!schema) return;
  const [first, ...others] = issuesOf(schema, reply.ours);
  if (!first) return;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  throw new Differs(`${endpoint}: ${first.path || 'the body'} differs from the contract (${first.kind})${more}`);
}

export const equal = (actual: unknown, expected: unknown, what: string): void =>
  insist(actual === expected, `${what} is ${shown(actual)}, not ${shown(expected)}`);

const shown = (value: unknown): string => (isObject(value) || Array.isArray(value) ? 'another object' : String(value));
