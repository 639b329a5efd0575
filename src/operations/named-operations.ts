import { type Lease, takeLease } from '../concurrency/lease.js';
import { CallError } from '../errors/call.js';
import { ConfigurationError, RequestValidationError } from '../errors/local.js';
import type { OperationResolution } from '../errors/operation.js';
import type { CallResult } from '../http/execute.js';
import { type Clock, monotonicNow, sleep } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import type { Seal } from '../stores/seal.js';
import type { Store } from '../stores/store.js';
import type { StoreHealth } from '../stores/store-health.js';
import { decideNamed, isOfTheRules } from './decide.js';
import { endOfWait } from './end-of-wait.js';
import { NameLostError, NameRecords, type Written } from './name-records.js';
import type { CarefulWork, HeldName, NamedWork } from './named-work.js';
import { operationError } from './operation-error.js';
import type { OperationRecord } from './operation-record.js';

export interface NamedOperationsDeps {
  /** Its operations must end: see `boundedStore`. `undefined` where the client has no store. */
  readonly store: Store | undefined;
  /** Before every key: address and client id. */
  readonly prefix: string;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: Random;
  readonly health: StoreHealth;
  readonly newKey: () => string;
  /** Milliseconds for which the service may go on with a request whose connection has ended (gap PAY-11). */
  readonly horizonMs: number;
}

/** A process that dies holds the name for this long; one that lives renews it. */
const LEASE_MS = 6000;
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 1000;
const NAME = /^[\x20-\x7e]{1,200}$/;

/** What one call has while it works. */
interface Held {
  readonly records: NameRecords;
  readonly digest: string;
  /** Absent where the result was there before a lease was needed. */
  readonly lease?: Lease;
}

/**
 * Writes that stand under a name: one key, one body, one result, kept in the store.
 *
 * Steps, each of which a process may die after: lease · mark of the key's age · record with the key · sending · result in
 * the record · lease given back. Whatever was reached, the next call under the name finishes it.
 */
export class NamedOperations {
  readonly #deps: NamedOperationsDeps;

  constructor(deps: NamedOperationsDeps) {
    this.#deps = deps;
  }

  /** The result of the name: of its first call where there was one, else of this call. */
  async run<T>(work: NamedWork<T>): Promise<CallResult<T>> {
    const store = this.#storeOf(work);
    const { clock, newKey, prefix, seal } = this.#deps;
    const records = new NameRecords(store, prefix, seal);
    const digest = await this.#reach(work, 'digest', () => seal.digest(work.request, work.name));
    const giveUpAt = Math.min(work.deadlineAt, monotonicNow(clock) + work.maxWait);
    const leaseKey = records.leaseKey(work.name, work.careful?.group);
    const wanted = { store, clock, key: leaseKey, holder: newKey(), ttlMs: LEASE_MS };
    for (let looks = 0; ; looks += 1) {
      const written = await this.#reach(work, 'read record', () => records.read(work.name));
      if (written?.record.result !== undefined) return this.#act(work, { records, digest }, written);

      const lease = await this.#reach(work, 'take lease', () => takeLease(wanted));
      if (lease) {
        try {
          const now = await this.#reach(work, 'read record', () => records.read(work.name));
          return await this.#act(work, { records, digest, lease }, now);
        } finally {
          lease.release().catch((error: unknown) => this.#tell('release lease of operation', error));
        }
      }
      await this.#waitForOther(work, looks, giveUpAt);
    }
  }

  /** One call at a time comes here, as far as a lease can tell. */
  async #act<T>(work: NamedWork<T>, held: Held, written: Written | undefined): Promise<CallResult<T>> {
    const { records, digest } = held;
    const record = written?.record;
    const isOpen = record !== undefined && record.result === undefined;
    const isFresh = !isOpen || (await this.#reach(work, 'read age of key', () => records.isFresh(work.name, record)));
    const decision = decideNamed({ record, digest, isFresh });
    if (decision === 'give_result') return this.#resultOf(work, held, record!);
    if (decision === 'refuse_other_body') throw operationError(work, 'body_differs', { outcome: 'not_sent', record });
    if (work.careful) return this.#carryOn(work, work.careful, held, { written, isFresh });
    switch (decision) {
      case 'begin':
        return this.#begin(work, held);
      case 'send_again':
        return this.#sendAgain(work, held, written!);
      case 'look_only':
        return this.#settle(work, held, written!, async () => (await work.look?.(record!)) ?? { outcome: 'unknown' });
    }
  }

  async #begin<T>(work: NamedWork<T>, held: Held): Promise<CallResult<T>> {
    const record = this.#newRecord(work, held);
    return this.#send(work, held, await this.#reach(work, 'write key', () => held.records.begin(work.name, record)));
  }

  #newRecord(work: NamedWork<unknown>, { digest }: Held): OperationRecord {
    const { clock, newKey } = this.#deps;
    return {
      format: 1,
      key: newKey(),
      request: `${work.method} ${work.template}`,
      digest,
      sendings: 1,
      firstSentAtMs: clock.now(),
    };
  }

  async #sendAgain<T>(work: NamedWork<T>, held: Held, before: Written): Promise<CallResult<T>> {
    const earlierAreOver = await this.#areOver(work, held, before.record);
    return this.#send(work, held, await this.#countSending(work, held, before), earlierAreOver);
  }

  /** Whether each sending so far was executed by now, or never will be. */
  async #areOver(work: NamedWork<unknown>, { records }: Held, record: OperationRecord): Promise<boolean> {
    if (this.#deps.horizonMs === 0) return true;
    if (record.refusedSendings !== record.sendings) return false;
    return this.#reach(work, 'read horizon', () => records.isHorizonOver(work.name, record));
  }

  /** So that a refusal of this sending is not taken for the fate of an earlier one. */
  #countSending(work: NamedWork<unknown>, { records }: Held, written: Written): Promise<Written> {
    const next = { ...written.record, sendings: written.record.sendings + 1 };
    return this.#reach(work, 'write sending', () => records.replace(work.name, written, next));
  }

  async #send<T>(work: NamedWork<T>, held: Held, written: Written, earlierAreOver = false): Promise<CallResult<T>> {
    const { record } = written;
    const check = (): void => {
      if (!held.lease?.isHeld()) throw new NameLostError('The lease of the name was lost.');
    };
    let result: CallResult<T>;
    try {
      result = await work.send(record.key, check);
    } catch (error) {
      const outcome = error instanceof CallError || error instanceof RequestValidationError ? error.outcome : 'unknown';
      if (outcome === 'not_sent' && error instanceof CallError && error.cause instanceof NameLostError) {
        throw operationError(work, 'in_progress', { outcome: 'not_sent', record, cause: error });
      }
      const isDefinite = outcome === 'not_sent' || outcome === 'refused';
      if (isDefinite && record.sendings === 1) {
        await this.#free(work, held, written);
        throw error;
      }
      if (isDefinite) return this.#afterLateRefusal(work, held, written, { refusal: error, earlierAreOver });
      throw this.#unknown(work, record, error, outcome);
    }
    await this.#finish(work, held, written, result);
    return result;
  }

  /**
   * The refusal may be the consequence of an earlier sending: where the resource shows that one, it is the result. Once the
   * earlier ones are over it is the truth, since a success would have been given again under its key (gap OPS-6).
   */
  #afterLateRefusal<T>(
    work: NamedWork<T>,
    held: Held,
    written: Written,
    { refusal, earlierAreOver }: { readonly refusal: unknown; readonly earlierAreOver: boolean },
  ): Promise<CallResult<T>> {
    return this.#settle(work, held, written, async () => {
      const seen = await work.look?.(written.record);
      if (seen?.outcome === 'applied') return seen;
      if (earlierAreOver && isOfTheRules(refusal)) return { outcome: 'not_applied', cause: refusal };
      await this.#noteRefusal(work, held, written);
      return { outcome: 'unknown', cause: refusal };
    });
  }

  /** Begins the horizon of the sendings before this one, unless it has begun: what was refused needs none of its own. */
  async #noteRefusal(work: NamedWork<unknown>, { records }: Held, written: Written): Promise<void> {
    const { record } = written;
    if (this.#deps.horizonMs === 0) return;
    try {
      if (record.refusedSendings !== record.sendings - 1) {
        await records.beginHorizon(work.name, record, this.#deps.horizonMs);
      }
      await records.replace(work.name, written, { ...record, refusedSendings: record.sendings });
    } catch (error) {
      // The horizon begins with the next refusal.
      this.#tell('write refusal of operation', error);
    }
  }

  /** Turns what was found out into the result of the call, and notes it. */
  async #settle<T>(
    work: NamedWork<T>,
    held: Held,
    written: Written,
    find: () => Promise<OperationResolution<T>>,
  ): Promise<CallResult<T>> {
    const found = await find();
    if (found.outcome === 'applied') {
      const { key: idempotencyKey } = written.record;
      const result = { data: found.data, status: 200, headers: {}, requestId: null, attempts: 0, idempotencyKey };
      await this.#finish(work, held, written, result);
      return result;
    }
    if (found.outcome === 'unknown') throw this.#unknown(work, written.record, found.cause);
    await this.#free(work, held, written);
    throw found.cause ?? operationError(work, 'not_applied', { outcome: 'refused', record: written.record });
  }

  /** Lends the name to a work that is sent and repeated by its own rules. */
  async #carryOn<T>(
    work: NamedWork<T>,
    { group, carryOn }: CarefulWork<T>,
    held: Held,
    { written: before, isFresh }: { written: Written | undefined; isFresh: boolean },
  ): Promise<CallResult<T>> {
    const { clock } = this.#deps;
    const { records, lease } = held;
    const made = await this.#reach(work, 'read what the order has', () => records.madeBy(group));
    const record = before?.record ?? this.#newRecord(work, held);
    let written = before;
    let writtenAt = Number.NEGATIVE_INFINITY;
    const mayLeaveMs = LEASE_MS / 3;
    const lent: HeldName = {
      ...{ key: record.key, note: record.note, isFresh, mayLeaveMs, made },
      signal: AbortSignal.any([...(work.signal ? [work.signal] : []), ...(lease ? [lease.signal] : [])]),
      write: async (note) => {
        const askedAt = monotonicNow(clock);
        const next = { ...record, note };
        written = await this.#reach(work, 'write note', () =>
          written ? records.replace(work.name, written, next) : records.begin(work.name, next),
        );
        writtenAt = askedAt;
      },
      claim: async (id) => {
        try {
          await records.claim(group, made, id, record.key);
        } catch (error) {
          this.#tell('write record of operation', error);
        }
      },
      mayStillSend: () => lease?.isHeld() === true && monotonicNow(clock) - writtenAt < mayLeaveMs,
    };
    const end = await carryOn(lent);
    switch (end.outcome) {
      case 'applied':
        if (written) await this.#finish(work, held, written, end.result);
        return end.result;
      case 'not_applied':
        // Ended by the loss of the name, before anything left under it.
        if (!written && lease?.signal.aborted && !work.signal?.aborted) {
          throw operationError(work, 'in_progress', { outcome: 'not_sent', cause: end.error });
        }
        if (written) await this.#free(work, held, written);
        throw end.error ?? operationError(work, 'not_applied', { outcome: 'refused', record });
      case 'not_sent':
        throw operationError(work, end.reason, { outcome: 'not_sent', record: written?.record, cause: end.cause });
      case 'unknown':
        throw this.#unknown(work, record, end.cause, 'unknown', !isFresh);
    }
  }

  #unknown(
    work: NamedWork<unknown>,
    record: OperationRecord,
    cause: unknown,
    outcome: 'applied' | 'unknown' = 'unknown',
    isTooOld = false,
  ): Error {
    return operationError(work, 'unknown', { outcome, record, cause, isTooOld, resolve: () => this.#resolve(work) });
  }

  /** By looking where that decides, and else by the same call again. */
  async #resolve<T>(work: NamedWork<T>): Promise<OperationResolution<T>> {
    try {
      const { data } = await this.run(work);
      return { outcome: 'applied', data };
    } catch (cause) {
      const outcome = cause instanceof CallError ? cause.outcome : undefined;
      if (outcome === 'refused') return { outcome: 'not_applied', cause };
      return { outcome: 'unknown', cause };
    }
  }

  async #finish<T>(work: NamedWork<T>, { records }: Held, written: Written, result: CallResult<T>): Promise<void> {
    const { data, status, requestId } = result;
    try {
      await records.finish(work.name, written, { ...(data === undefined ? {} : { data }), status, requestId });
    } catch (error) {
      // The operation is done. The next call under the name finds the key, and gets the same response for it.
      this.#tell('write result of operation', error);
    }
  }

  /** Nothing happened under the name: it may stand for another try. */
  async #free(work: NamedWork<unknown>, { records }: Held, written: Written): Promise<void> {
    try {
      await records.free(work.name, written);
    } catch (error) {
      this.#tell('free name of operation', error);
    }
  }

  async #resultOf<T>(work: NamedWork<T>, { records }: Held, record: OperationRecord): Promise<CallResult<T>> {
    const result = await this.#reach(work, 'open result', () => records.resultOf(work.name, record));
    if (result === undefined) throw operationError(work, 'result_unreadable', { outcome: 'applied', record });
    const { data, status, requestId } = result;
    return { data: data as T, status, headers: {}, requestId, attempts: 0, idempotencyKey: record.key };
  }

  async #waitForOther(work: NamedWork<unknown>, looks: number, giveUpAt: number): Promise<void> {
    const { clock, random } = this.#deps;
    const waitMs = Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 1.5 ** looks) * (1 + random() / 4);
    if (monotonicNow(clock) + waitMs > giveUpAt) throw operationError(work, 'in_progress', { outcome: 'not_sent' });
    const end = endOfWait(work);
    try {
      await sleep(clock, waitMs, end.signal);
    } finally {
      end.forget();
    }
  }

  #storeOf({ name }: NamedWork<unknown>): Store {
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new RequestValidationError(
        'The option "operation" is no name; write 1 to 200 printable ASCII characters that say what is done once, for example "checkout:basket-42".',
        { problems: [{ field: 'operation', message: 'must be 1 to 200 printable ASCII characters' }] },
      );
    }
    if (this.#deps.store) return this.#deps.store;
    throw new ConfigurationError(
      'The option "operation" needs a store that keeps the name: give the client one (docs/stores.md), or "store: memoryStore()" where one process is enough.',
    );
  }

  /** Without the store nothing is sent: a name that forgets its key could be executed twice. */
  async #reach<T>(work: NamedWork<unknown>, step: string, reach: () => Promise<T>): Promise<T> {
    try {
      return await reach();
    } catch (cause) {
      if (cause instanceof NameLostError) throw operationError(work, 'in_progress', { outcome: 'not_sent' });
      this.#tell(`${step} of operation`, cause);
      throw operationError(work, 'store_failed', { outcome: 'not_sent', cause });
    }
  }

  #tell(operation: string, error: unknown): void {
    this.#deps.health.failed(operation, error);
  }
}
