import { runHistory } from './history.js';
import { COPIES, type Patch, sdkCopies } from './sdk-copies.js';

/** A rule of the payment protocol that is left out or turned round; the model must notice. */
export interface Mistake {
  readonly name: string;
  readonly patches: readonly Patch[];
}

const LOST_RESPONSE = 'resources/payments/lost-response.ts';
const MATCHING = 'resources/payments/matching.ts';
const AMOUNTS = 'resources/payments/amounts.ts';
const RUN = 'resources/payments/settle/run.ts';
const SENDING = 'resources/payments/settle/sending.ts';

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'no horizon: a key leaves again as soon as two readings show nothing',
    patches: [
      {
        file: LOST_RESPONSE,
        find: 'const untilHorizonMs = Math.max(horizonMs, lagMs) - ageMs;',
        replace: 'const untilHorizonMs = Math.min(0, horizonMs, lagMs) - ageMs;',
      },
    ],
  },
  {
    name: 'the page of a gateway counts as the end of the execution',
    patches: [
      {
        file: LOST_RESPONSE,
        find: 'const hasEnded = error.status === 500 && error.code !== null && error.requestId !== null;',
        replace: 'const hasEnded = error.status >= 500;',
      },
    ],
  },
  {
    name: "no lag after the service's own error",
    patches: [{ file: LOST_RESPONSE, find: 'lagMs - endedAgeMs', replace: '0 * lagMs - endedAgeMs' }],
  },
  {
    name: 'no signs of execution: neither sums nor unknown records keep a key from leaving again',
    patches: [
      { file: LOST_RESPONSE, find: 'const [sign] = seen.signs;', replace: 'const [sign] = seen.signs.slice(99);' },
    ],
  },
  {
    name: 'the refusal of a repetition is taken for the fate of the first sending (rule 3)',
    patches: [{ file: SENDING, find: 'if (before.inDoubt > 0) {', replace: 'if (before.inDoubt > 1000) {' }],
  },
  {
    name: 'whoever has lost the order sends on (rule 2)',
    patches: [
      { file: RUN, find: "if (!book.mayStillSend()) throw new NotSentError('lease');", replace: '' },
      {
        file: 'resources/payments/settle/order-run.ts',
        find: 'limit.endWith(book.lost);',
        replace: '',
      },
    ],
  },
  {
    name: 'a request may leave however long after its key was written down (rule 1)',
    patches: [{ file: RUN, find: "if (!book.mayStillSend()) throw new NotSentError('lease');", replace: '' }],
  },
  {
    name: 'the journal follows the sending in place of preceding it (rule 1)',
    patches: [
      {
        file: RUN,
        find: 'await this.note(beforeSending(',
        replace: 'void this.note(beforeSending(',
      },
    ],
  },
  {
    name: 'the balance is what the service says, whatever is known to be charged (rule 7)',
    patches: [
      {
        file: AMOUNTS,
        find: 'return Math.max(0, Math.min(amounts.balanceCents, amounts.totalCents - paidCents));',
        replace: 'return Math.max(0, amounts.balanceCents + 0 * paidCents);',
      },
      { file: AMOUNTS, find: 'return amounts.paidCents + amounts.refundedCents >=', replace: 'return true || 0 >=' },
    ],
  },
  {
    name: 'an order is taken from the living at once (rule 10)',
    patches: [
      {
        file: 'resources/payments/journal/order-lock.ts',
        find: '(watch && hasLeaseEnded(watch, leaseMs))',
        replace: '(watch && lock.leaseMs > 0)',
      },
    ],
  },
  {
    name: 'a FAILED record counts before a COMPLETED one (rule 8)',
    patches: [
      {
        file: MATCHING,
        find: "first(own, 'paid') ?? first(own, 'under_way') ?? own[0]",
        replace: "first(own, 'failed') ?? own[0]",
      },
      {
        file: MATCHING,
        find: "    first(candidates, 'paid', accountedFor.paid) ??\n    first(candidates, 'under_way') ??\n    first(candidates, 'failed', accountedFor.failed)",
        replace: "    first(candidates, 'failed', accountedFor.failed) ?? first(candidates, 'paid', accountedFor.paid)",
      },
    ],
  },
  {
    name: 'a lost payment that the order does not show counts as not executed',
    patches: [
      {
        file: LOST_RESPONSE,
        find: "return doubt.isTooOld ? { kind: 'unknown', why: 'too_old' } : { kind: 'repeat' };",
        replace: "return { kind: 'not_applied' };",
      },
    ],
  },
];

export interface Found {
  readonly name: string;
  /** Histories until the first that fails; `undefined` when none did. */
  readonly runs: number | undefined;
  readonly seconds: number;
  readonly violation: string;
}

/** Lets histories happen over the package with one mistake in it, until one fails. */
export async function findMistake({ name, patches }: Mistake, mostRuns: number): Promise<Found> {
  const copies = await sdkCopies(COPIES, patches);
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  for (let runs = 1; runs <= mostRuns; runs += 1) {
    const { violation } = await runHistory(runs, copies);
    if (violation !== undefined) return { name, runs, seconds: seconds(), violation };
  }
  return { name, runs: undefined, seconds: seconds(), violation: 'none' };
}
