import type { Operation } from '../http/exchange/operation.js';
import { type Clock, monotonicNow } from '../platform/clock.js';

/** One request that carried a token. */
export interface TokenUse {
  readonly token: string;
  readonly operation: Operation;
  /** When it was sent, on the monotonic reading. */
  readonly sentAt: number;
}

/** Two replacements are never nearer to each other than this. */
const REPLACEMENT_SPACING_MS = 5000;
/** How long an operation that refused a fresh token, too, causes no replacement; it doubles up to an hour. */
const FIRST_BLOCK_MS = 30_000;
const LONGEST_BLOCK_MS = 60 * 60 * 1000;
/** Templates may be built at run time; the oldest entry makes room. */
const MOST_OPERATIONS = 500;

interface Refused {
  /** The last token that the operation refused. */
  readonly token: string;
  readonly at: number;
  readonly blocks: number;
  readonly blockedUntil: number;
  /** True when another token may help, and none has been tried. */
  readonly wantsAnother: boolean;
}

/**
 * Decides whether a 401 is the token's fault or the operation's. An endpoint that responds 401 for ever (a firewall rule, a
 * missing entitlement) must not cost the others their token, nor the token endpoint a request for each call.
 *
 * - A token that another operation used with success after the refused request was sent is a good one.
 * - An operation that refuses a token and then the one that replaced it is at fault itself.
 * - A replacement that no operation has accepted yet is not replaced again at once.
 */
export class RefusedTokens {
  readonly #clock: Clock;
  readonly #refused = new Map<string, Refused>();
  #accepted: { readonly token: string; readonly sentAt: number } | undefined;
  /** The last token that was got because of a 401, and how many in a row no operation has accepted. */
  #replacement: { readonly token: string; readonly at: number } | undefined;
  #unaccepted = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The service accepted the token. */
  accepted({ token, operation, sentAt }: TokenUse): void {
    if (this.#refused.size > 0) this.#refused.delete(operation.name);
    if (this.#accepted?.token === token) {
      if (sentAt <= this.#accepted.sentAt) return;
    } else {
      this.#unaccepted = 0;
    }
    this.#accepted = { token, sentAt };
  }

  /** The service refused the token with a 401; `true` when another token may help. */
  refused({ token, operation, sentAt }: TokenUse, present: string | undefined): boolean {
    const now = monotonicNow(this.#clock);
    const known = this.#known(operation, now);
    const { blocks, blockedUntil } = known ?? { blocks: 0, blockedUntil: 0 };
    const note = (wantsAnother: boolean): boolean => {
      this.#note(operation, { token, at: now, blocks, blockedUntil, wantsAnother });
      return wantsAnother;
    };
    if (token !== present) return note(true);

    const isGood = this.#accepted?.token === token && this.#accepted.sentAt > sentAt;
    const refusedFresh = known !== undefined && known.token !== token;
    if (isGood || refusedFresh) {
      const until = now + Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** blocks);
      this.#note(operation, { token, at: now, blocks: blocks + 1, blockedUntil: until, wantsAnother: false });
      return false;
    }
    return now >= blockedUntil && note(this.#mayReplace(token, now));
  }

  /** True when the operation refused this token the last time, and another one may help: it is asked for first. */
  needsAnother(operation: Operation, present: string): boolean {
    if (this.#refused.size === 0) return false;
    const now = monotonicNow(this.#clock);
    const known = this.#known(operation, now);
    return known?.wantsAnother === true && known.token === present && this.#mayReplace(present, now);
  }

  /** A token was requested because of a 401. */
  replacedBy(token: string): void {
    this.#replacement = { token, at: monotonicNow(this.#clock) };
    this.#unaccepted += 1;
  }

  #mayReplace(present: string, now: number): boolean {
    if (!this.#replacement) return true;
    const age = now - this.#replacement.at;
    if (this.#replacement.token !== present || this.#accepted?.token === present) return age >= REPLACEMENT_SPACING_MS;
    return age >= Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** (this.#unaccepted - 1));
  }

  /** What was refused long ago says nothing about the present token. */
  #known(operation: Operation, now: number): Refused | undefined {
    const known = this.#refused.get(operation.name);
    return known && now < Math.max(known.blockedUntil, known.at) + LONGEST_BLOCK_MS ? known : undefined;
  }

  #note({ name }: Operation, refused: Refused): void {
    this.#refused.delete(name);
    this.#refused.set(name, refused);
    if (this.#refused.size <= MOST_OPERATIONS) return;
    const [oldest] = this.#refused.keys();
    if (oldest !== undefined) this.#refused.delete(oldest);
  }
}
