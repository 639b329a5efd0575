import {
  type Check,
  demand,
  objectOf,
  oneOf,
  optional,
  text,
  trueOrFalse,
  valuesOf,
  valueThat,
  wholeNumber,
} from '../checks/check.js';
import { type Behaviour, type BehaviourChange, KIND_RECORDS, type RecordBehaviour, type Span } from './behaviour.js';

/** Milliseconds for which earlier versions of an order are kept. */
export const LONGEST_LAG_MS = 3_600_000;

const ANY_WHOLE_NUMBER = Number.MIN_SAFE_INTEGER;

const span: Check<Span | undefined> = optional(
  valueThat<Span>(
    `whole milliseconds from 0 to ${LONGEST_LAG_MS}, or a range of them such as [0, 2000]`,
    (value) =>
      isLength(value) ||
      (Array.isArray(value) && value.length === 2 && value.every(isLength) && value[0]! <= value[1]!),
  ),
);

const names = (example: string): Check<Readonly<Record<string, string>> | undefined> =>
  optional(valuesOf(text, `an object of names, such as ${example}`));

const records = wholeNumber(0, 'a whole number of records, from 0 on');

/** What each switch of the behaviour accepts. */
export const BEHAVIOUR_SWITCHES = {
  keysInFlight: optional(oneOf('wait', 'run_twice', 'conflict')),
  overpayment: optional(oneOf('refuse', 'accept')),
  duplicates: optional(oneOf('execute', 'decline')),
  readLagMs: span,
  paymentListLagMs: span,
  paymentSumLagMs: span,
  authorizationMs: span,
  gatewayTimeoutMs: span,
  records: optional(
    objectOf<Partial<RecordBehaviour>>(
      {
        key: optional(oneOf('hidden', 'shown')),
        methods: names("{ DIGITAL_WALLET: 'APPLE_PAY' }"),
        amountOffsetCents: optional(wholeNumber(ANY_WHOLE_NUMBER, 'a whole number of cents')),
        statuses: names("{ COMPLETED: 'SETTLED' }"),
        refundStatuses: names("{ COMPLETED: 'SETTLED' }"),
        failedPayments: optional(records),
        failedRefunds: optional(records),
      },
      { called: 'switch' },
    ),
  ),
  refundsListed: optional(trueOrFalse),
  dateHeader: optional(trueOrFalse),
  belowMinimum: optional(oneOf('fee', 'refuse')),
  refundOfUnpaid: optional(oneOf('exceeds_balance', 'payment_required')),
  clockOffsetMs: optional(wholeNumber(ANY_WHOLE_NUMBER, 'a whole number of milliseconds, negative for a slow clock')),
} satisfies { readonly [Name in keyof Behaviour]: Check<BehaviourChange[Name]> };

const BEHAVIOUR = objectOf<BehaviourChange>(BEHAVIOUR_SWITCHES, { called: 'switch' });

/**
 * The behaviour after `change`: what is left out, or undefined, stays.
 *
 * @throws TypeError that names the switch, and says what to write.
 */
export function changed(before: Behaviour, change: BehaviourChange): Behaviour {
  const { records, ...others } = demand('behaviour', change, BEHAVIOUR);
  const next = { ...before, ...given(others) };
  return records === undefined ? next : { ...next, records: structuredClone({ ...KIND_RECORDS, ...given(records) }) };
}

/** Without the fields that are undefined: those were left out. */
function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LONGEST_LAG_MS;
}
