import type { ResponseIssue } from '../../errors/response.js';
import type { Clock } from '../../platform/clock.js';

/** What has differed from the contract at one place of one operation so far; never a value. */
export interface DriftSummary {
  /** Method and path template, such as `GET /orders/{order_id}`. */
  readonly operation: string;
  /** Path within the body without indexes, such as `payments[].status`; `header sunset` for a header; empty for the whole body. */
  readonly path: string;
  /**
   * What differs: a code of the schema library (`invalid_type`, …), `empty`, `new_value`, `sum`, `deprecated`, `version`; `further`
   * for all that came after 500 different ones.
   */
  readonly kind: string;
  /** In how many places of how many responses it was seen. */
  readonly count: number;
  /** When it was seen first: ISO 8601 date-time in UTC, by the client's clock. */
  readonly firstSeen: string;
  /** When it was seen last. */
  readonly lastSeen: string;
}

/** More different drifts than these are counted together: a service that invents names must not fill the memory. */
const MOST_ENTRIES = 500;
/** A path is made of names that the service chose; what is beyond says nothing new. */
const MOST_CHARACTERS = 200;

interface Entry {
  readonly operation: string;
  readonly path: string;
  readonly kind: string;
  count: number;
  readonly firstMs: number;
  lastMs: number;
}

/** Remembers every drift of a client, so that each is emitted once for its kind and place. */
export class DriftLog {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Counts the issues of one response, and gives those that were never seen before. */
  fresh(operation: string, issues: readonly ResponseIssue[]): readonly ResponseIssue[] {
    return issues.filter(({ path, kind }) => this.#count(operation, placeOf(path), kind));
  }

  /** Everything so far, in the order in which it was seen first. */
  summary(): DriftSummary[] {
    return [...this.#entries.values()].map(({ operation, path, kind, count, firstMs, lastMs }) => ({
      operation,
      path,
      kind,
      count,
      firstSeen: new Date(firstMs).toISOString(),
      lastSeen: new Date(lastMs).toISOString(),
    }));
  }

  /** True when nothing like it was seen before. */
  #count(operation: string, path: string, kind: string): boolean {
    const now = this.#clock.now();
    const key = `${operation}\n${path}\n${kind}`;
    const known = this.#entries.get(key);
    if (known) {
      known.count += 1;
      known.lastMs = now;
      return false;
    }
    if (this.#entries.size < MOST_ENTRIES) {
      this.#entries.set(key, { operation, path, kind, count: 1, firstMs: now, lastMs: now });
      return true;
    }
    return this.#countFurther(now);
  }

  #countFurther(now: number): boolean {
    const known = this.#entries.get('further');
    if (known) {
      known.count += 1;
      known.lastMs = now;
      return false;
    }
    const entry = { operation: '*', path: '', kind: 'further', count: 1, firstMs: now, lastMs: now };
    this.#entries.set('further', entry);
    return true;
  }
}

/** The same field of every record of a list is one place. */
function placeOf(path: string): string {
  return path.slice(0, MOST_CHARACTERS).replace(/\[\d+\]/g, '[]');
}
