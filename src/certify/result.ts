import type { GapRow } from '../profile/gaps.js';

/** How one row of the interface document stands. */
export type Outcome = 'holds' | 'differs' | 'not_tried';

/** What was found out about one row. */
export interface CheckResult {
  /** Section of the interface document: `Carts`. */
  readonly section: string;
  /** The row as a sentence. */
  readonly row: string;
  readonly outcome: Outcome;
  /** What differs, or why it could not be tried; empty when the row holds. */
  readonly note: string;
  /** Ids of the requests behind it, for the service's support; the last ones when there were many. */
  readonly requestIds: readonly string[];
  readonly ms: number;
}

/** What was found out about one gap. */
export interface GapResult {
  readonly row: GapRow;
  /** What the gap is about: `amount of a payment request`. */
  readonly about: string;
  /** The reading that the service chose; `undefined` when that could not be decided. */
  readonly reading: string | undefined;
  /** Whether it is the one that this package chooses without a profile. */
  readonly isOurs: boolean;
  /** What the reading means in words, or why nothing could be decided. */
  readonly note: string;
  readonly requestIds: readonly string[];
}

/** Everything that was found out. */
export interface CertifyReport {
  /** Scheme and host of the service. */
  readonly service: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly packageVersion: string;
  readonly interfaceVersion: string;
  readonly requests: number;
  readonly checks: readonly CheckResult[];
  readonly gaps: readonly GapResult[];
}

export { CannotTry, Differs } from './suite/outcome.js';
