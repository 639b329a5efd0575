import { type Behaviour, type BehaviourChange, KIND_RECORDS, type RecordBehaviour, type Span } from './behaviour.js';

/** Milliseconds for which earlier versions of an order are kept. */
export const LONGEST_LAG_MS = 3_600_000;

interface Switch<T> {
  /** Says what to write when the value is none of them. */
  readonly write: string;
  accepts(value: unknown): value is T;
}

type Switches<T> = { readonly [Name in keyof T]: Switch<T[Name]> };

const RECORD_SWITCHES: Switches<RecordBehaviour> = {
  key: oneOf('hidden', 'shown'),
  methods: names("{ DIGITAL_WALLET: 'APPLE_PAY' }"),
  amountOffsetCents: wholeNumber(Number.NEGATIVE_INFINITY, 'a whole number of cents'),
  statuses: names("{ COMPLETED: 'SETTLED' }"),
  refundStatuses: names("{ COMPLETED: 'SETTLED' }"),
  failedPayments: wholeNumber(0, 'a whole number of records, from 0 on'),
  failedRefunds: wholeNumber(0, 'a whole number of records, from 0 on'),
};

/** What each switch of the behaviour accepts. */
export const BEHAVIOUR_SWITCHES: Switches<Behaviour> = {
  keysInFlight: oneOf('wait', 'run_twice', 'conflict'),
  overpayment: oneOf('refuse', 'accept'),
  duplicates: oneOf('execute', 'decline'),
  readLagMs: span(LONGEST_LAG_MS),
  paymentListLagMs: span(LONGEST_LAG_MS),
  paymentSumLagMs: span(LONGEST_LAG_MS),
  authorizationMs: span(LONGEST_LAG_MS),
  gatewayTimeoutMs: span(LONGEST_LAG_MS),
  records: {
    write: 'an object',
    accepts: (value): value is RecordBehaviour => isObject(value),
  },
  refundsListed: trueOrFalse(),
  dateHeader: trueOrFalse(),
  clockOffsetMs: wholeNumber(Number.NEGATIVE_INFINITY, 'a whole number of milliseconds, negative for a slow clock'),
};

/**
 * The behaviour after `change`: what is left out, or undefined, stays.
 *
 * @throws TypeError that names the switch, and says what to write.
 */
export function changed(before: Behaviour, change: BehaviourChange): Behaviour {
  const given = checked('behaviour', change, BEHAVIOUR_SWITCHES);
  if (given.records === undefined) return { ...before, ...given };
  const records = checked('behaviour.records', given.records, RECORD_SWITCHES);
  return { ...before, ...given, records: structuredClone({ ...KIND_RECORDS, ...records }) };
}

function checked<T>(of: string, values: unknown, switches: Switches<T>): Partial<T> {
  if (!isObject(values)) throw new TypeError(`"${of}" is an object of switches: ${Object.keys(switches).join(', ')}.`);
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(switches, name)) {
      throw new TypeError(`"${of}" has no switch "${name}"; write one of ${Object.keys(switches).join(', ')}.`);
    }
    const { accepts, write } = switches[name as keyof T];
    if (!accepts(value)) throw new TypeError(`"${of}.${name}" is ${JSON.stringify(value)}; write ${write}.`);
  }
  return Object.fromEntries(given) as Partial<T>;
}

function oneOf<T extends string>(...values: readonly T[]): Switch<T> {
  return {
    write: values.map((value) => `'${value}'`).join(' or '),
    accepts: (value): value is T => values.some((one) => one === value),
  };
}

function trueOrFalse(): Switch<boolean> {
  return { write: 'true or false', accepts: (value) => typeof value === 'boolean' };
}

function wholeNumber(smallest: number, write: string): Switch<number> {
  return { write, accepts: (value): value is number => Number.isSafeInteger(value) && (value as number) >= smallest };
}

function span(longestMs: number): Switch<Span> {
  const isLength = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= longestMs;
  return {
    write: `whole milliseconds from 0 to ${longestMs}, or a range of them such as [0, 2000]`,
    accepts: (value): value is Span =>
      isLength(value) ||
      (Array.isArray(value) && value.length === 2 && value.every(isLength) && value[0]! <= value[1]!),
  };
}

function names(example: string): Switch<Readonly<Record<string, string>>> {
  return {
    write: `an object of names, such as ${example}`,
    accepts: (value): value is Readonly<Record<string, string>> =>
      isObject(value) && Object.values(value).every((name) => typeof name === 'string' && name !== ''),
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
