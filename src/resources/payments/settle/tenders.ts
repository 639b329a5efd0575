import type { Money, TenderType } from '../../../contract/index.js';
import { type RequestProblem, RequestValidationError } from '../../../errors/local.js';
import { allEntries, currentRun, isUndecided } from '../journal/journal-runs.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';
import type { RecordDigests, TenderDigest } from '../journal/tender-digest.js';
import type { Tender } from '../tender-body.js';

/** How tenders are made unreadable in the journal. */
export interface Digests {
  newSalt(): string;
  forRecord(salt: string, signal: AbortSignal): Promise<RecordDigests>;
}

/** A tender with its amount in one form: whole cents, or what remains. */
export interface OfferedTender {
  /** A copy: the caller may wipe its own. */
  readonly tender: Tender;
  /** The object that was given, for the caller's own handler. */
  readonly given: Tender;
  readonly method: string;
  readonly amount: number | 'remaining';
  /** Currency of an amount given as `Money`. */
  readonly currency: string | undefined;
}

/** A tender with the digest by which the journal knows it. */
export interface DigestedTender extends OfferedTender, TenderDigest {}

/**
 * Loyalty points, gift cards, then cards and wallets (interface document, "Payment rules" 2). Where it is silent
 * (gap PAY-20): EBT has a fixed balance and is refused more often than a card, so it goes before cards, whose amount
 * can still adapt; cash is taken at the counter, and comes last.
 */
const RANKS: Readonly<Record<TenderType, number>> = {
  LOYALTY_POINTS: 0,
  GIFT_CARD: 1,
  EBT: 2,
  CREDIT_CARD: 3,
  DEBIT_CARD: 3,
  DIGITAL_WALLET: 3,
  CASH: 4,
};

export const TENDER_TYPES = Object.keys(RANKS) as readonly TenderType[];

/** Sorts tenders for submission; those of one rank keep the order in which they were given. */
export function inSubmissionOrder<T extends { readonly method: string }>(tenders: readonly T[]): T[] {
  return [...tenders].sort((a, b) => rankOf(a.method) - rankOf(b.method));
}

function rankOf(method: string): number {
  return (RANKS as Readonly<Record<string, number>>)[method] ?? RANKS.CREDIT_CARD;
}

/**
 * Checks tenders before anything is sent, and copies them.
 *
 * @throws {RequestValidationError} With every problem found.
 */
export function checkTenders(tenders: readonly Tender[]): OfferedTender[] {
  const problems: RequestProblem[] = [];
  if (!Array.isArray(tenders) || tenders.length === 0) {
    problems.push({
      field: 'tenders',
      message:
        "at least one tender is needed, for example { payment_method: 'CREDIT_CARD', payment_token, amount: 'remaining' }",
    });
  } else {
    problems.push(...tenders.flatMap((tender, index) => problemsOf(tender, `tenders[${index}]`)));
    const remaining = tenders.filter((tender) => tender?.amount === 'remaining');
    if (remaining.length > 1) {
      problems.push({
        field: 'tenders',
        message: `${remaining.length} tenders have the amount 'remaining'; only one can take what remains`,
      });
    }
  }
  if (problems.length > 0) throw refusal(problems);
  return tenders.map(offered);
}

/** Checks one tender that takes the place of a declined one. */
export function checkTender(tender: Tender, field: string): OfferedTender {
  const problems = problemsOf(tender, field);
  if (problems.length > 0) throw refusal(problems);
  return offered(tender);
}

function offered(given: Tender): OfferedTender {
  const tender = structuredClone(given);
  const { payment_method: method, amount } = tender;
  if (amount === 'remaining' || typeof amount === 'number')
    return { tender, given, method, amount, currency: undefined };
  return { tender, given, method, amount: amount.amount, currency: amount.currency };
}

function problemsOf(tender: unknown, field: string): RequestProblem[] {
  if (typeof tender !== 'object' || tender === null) {
    return [{ field, message: 'a tender is an object with payment_method and amount' }];
  }
  const { payment_method: method, amount } = tender as Partial<Tender>;
  const problems: RequestProblem[] = [];
  if (typeof method !== 'string' || !Object.hasOwn(RANKS, method)) {
    problems.push({ field: `${field}.payment_method`, message: `it must be one of ${TENDER_TYPES.join(', ')}` });
  }
  const wrong = wrongAmount(amount);
  if (wrong !== undefined) problems.push({ field: `${field}.amount`, message: wrong });
  for (const [name, value] of Object.entries(tender)) {
    if (name !== 'amount' && !isJson(value)) {
      problems.push({ field: `${field}.${name}`, message: 'it is no JSON: give text, a number or a boolean' });
    }
  }
  return problems;
}

function isJson(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'object')
    return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return Object.values(value).every(isJson);
}

function wrongAmount(amount: unknown): string | undefined {
  if (amount === 'remaining') return undefined;
  const cents = isMoney(amount) ? amount.amount : amount;
  if (typeof cents !== 'number' || Number.isNaN(cents)) {
    return "it must be whole cents (1250 is 12.50), Money, or 'remaining'";
  }
  if (!Number.isSafeInteger(cents)) return `it is ${cents}, and must be whole cents: 1250 is 12.50`;
  if (cents <= 0) return `it is ${cents}, and must be above 0 cents`;
  if (isMoney(amount) && !/^[A-Z]{3}$/.test(amount.currency)) {
    return 'its currency must be a code of three capital letters, for example USD';
  }
  return undefined;
}

function isMoney(amount: unknown): amount is Money {
  return typeof amount === 'object' && amount !== null && 'amount' in amount && 'currency' in amount;
}

function refusal(problems: readonly RequestProblem[]): RequestValidationError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more problems)` : '';
  return new RequestValidationError(`${first?.field}: ${first?.message}${more}. Nothing was sent.`, { problems });
}

/** An entry of which nothing was sent. */
export function newEntry(
  key: string,
  { method, amount, digest }: Pick<DigestedTender, 'method' | 'amount' | 'digest'>,
  replaces: string | null = null,
): PaymentEntry {
  return {
    key,
    method,
    amount,
    digest,
    replaces,
    cents: null,
    state: 'PLANNED',
    bodyDigest: null,
    sendings: 0,
    inDoubt: 0,
    firstSentAt: null,
    lastSentAt: null,
    endedAt: null,
    lateRefusal: null,
    baseline: null,
    paymentId: null,
    chargedCents: null,
    declines: 0,
  };
}

export interface Adoption<T> {
  /** Entries of the journal, by key, and the tender of this call that is the same. */
  readonly bound: ReadonlyMap<string, T>;
  /** Tenders of this call that the journal does not know as sent. */
  readonly unsent: readonly T[];
  /** Keys of bound entries that were declined, and whose process died before anything came of it: to be asked again. */
  readonly unanswered: readonly string[];
  /** Tenders not known as sent, whose instrument was charged another amount by an entry that no tender accounts for. */
  readonly raised: readonly { readonly tender: T; readonly charged: PaymentEntry }[];
}

type Known = Pick<OfferedTender, 'method' | 'amount'>;

/**
 * Compares the tenders of a call with what the journal knows of the order.
 *
 * The list of tenders says how the order is to be paid in all: a tender that was charged already, or may have been, or
 * whose replacement was, counts as that one and does not go out again. Identical tenders are counted. Without this
 * rule a call that is repeated because its process died right after the last payment would charge everything twice.
 *
 * @param isInstrument - Whether the entry was made of the same instrument.
 */
export function adoptTenders<T extends Known>(
  record: JournalRecord,
  offeredTenders: readonly T[],
  isInstrument: (entry: PaymentEntry, tender: T) => boolean,
): Adoption<T> {
  const bound = new Map<string, T>();
  const unanswered: string[] = [];
  const free = [...allEntries(record)].sort((a, b) => urgencyOf(a) - urgencyOf(b));
  const isSame = (entry: PaymentEntry, tender: T): boolean =>
    entry.method === tender.method && entry.amount === tender.amount && isInstrument(entry, tender);
  const unsent = offeredTenders.filter((tender) => {
    const index = free.findIndex((entry) => standsFor(record, entry) !== 'nothing' && isSame(entry, tender));
    const [entry] = index < 0 ? [] : free.splice(index, 1);
    if (!entry) return true;
    bound.set(entry.key, tender);
    if (standsFor(record, entry) === 'decline') unanswered.push(entry.key);
    return false;
  });
  const raised = unsent.flatMap((tender) => {
    const charged = free.find(
      (entry) => entry.state === 'DONE' && entry.method === tender.method && isInstrument(entry, tender),
    );
    return charged ? [{ tender, charged }] : [];
  });
  return { bound, unsent, unanswered, raised };
}

/** What is undecided needs its tender most. */
function urgencyOf(entry: PaymentEntry): number {
  if (isUndecided(entry)) return 0;
  return entry.state === 'DONE' ? 1 : 2;
}

function standsFor(record: JournalRecord, entry: PaymentEntry): 'payment' | 'decline' | 'nothing' {
  if (entry.state === 'PLANNED') return 'nothing';
  if (mayHavePaid(record, entry)) return 'payment';
  return isInOpenRun(record, entry) ? 'decline' : 'nothing';
}

/** Whether the entry, or one that was sent in its place, moved money or may have: it may be retried after a replacement. */
function mayHavePaid(record: JournalRecord, { key, state }: PaymentEntry): boolean {
  if (state !== 'REFUSED') return true;
  const inItsPlace = allEntries(record).filter(({ replaces, state: one }) => replaces === key && one !== 'PLANNED');
  return inItsPlace.some((one) => mayHavePaid(record, one));
}

/** A run that ended told its caller of the decline, and the next one may try the tender anew. */
function isInOpenRun(record: JournalRecord, { key }: PaymentEntry): boolean {
  const run = currentRun(record);
  return run !== undefined && !run.ended && run.entries.some((entry) => entry.key === key);
}

/** The end of the chain of replacements that begins with `entry`, as far as they were sent. */
export function lastSent(record: JournalRecord, entry: PaymentEntry): PaymentEntry {
  const sent = allEntries(record).filter(({ state }) => state !== 'PLANNED');
  let last = entry;
  for (;;) {
    const next = sent.findLast(({ replaces }) => replaces === last.key);
    if (!next) return last;
    last = next;
  }
}
