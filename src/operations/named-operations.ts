import { takeLease } from '../concurrency/lease.js';
import { CallError } from '../errors/call.js';
import { APIUserAbortError, ClientClosedError } from '../errors/connection.js';
import { ConfigurationError, RequestValidationError } from '../errors/local.js';
import { NamedOperationError, type NamedOperationReason, type OperationResolution } from '../errors/operation.js';
import type { Closing } from '../http/exchange/closing.js';
import type { CallResult } from '../http/execute.js';
import { replayableUntil } from '../http/response/replay-window.js';
import { type Clock, monotonicNow, sleep } from '../platform/clock.js';
import { onAbort } from '../platform/on-abort.js';
import type { Random } from '../platform/random.js';
import type { Seal } from '../stores/seal.js';
import type { Store } from '../stores/store.js';
import type { StoreHealth } from '../stores/store-health.js';
import { decideNamed } from './decide.js';
import { type OperationRecord, parseOperationRecord, type StoredResult } from './operation-record.js';

export interface NamedOperationsParts {
  /** Its operations must end: see `boundedStore`. `undefined` where the client has no store. */
  readonly store: Store | undefined;
  /** Before every key: address and client id. */
  readonly prefix: string;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: Random;
  readonly health: StoreHealth;
  readonly newKey: () => string;
}

/** One write under a name. */
export interface NamedWork<T> {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  /** Method, path with its values, and body: what the name stands for. */
  readonly request: string;
  readonly signal: AbortSignal | undefined;
  /** The end of the client, which ends waits. */
  readonly closing: Closing | undefined;
  /** On the monotonic clock. */
  readonly deadlineAt: number;
  /** Milliseconds to wait for another call under the name. */
  readonly maxWait: number;
  /** Sends under the key; `check` is called where the bytes of each attempt leave, and throws when they may not. */
  readonly send: (key: string, check: () => void) => Promise<CallResult<T>>;
  /** What the resource shows of it; `undefined` where it shows nothing that decides. */
  readonly look?: ((record: OperationRecord) => Promise<OperationResolution<T> | undefined>) | undefined;
}

/** A process that dies holds the name for this long; one that lives renews it. */
const LEASE_MS = 6000;
/** How long a key may be sent again after its first sending. */
const REPLAYABLE_MS = replayableUntil(0);
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 1000;
const NAME = /^[\x20-\x7e]{1,200}$/;

/** The lease was lost, or is too old for a byte to leave under it. */
class LeaseLostError extends Error {}

/**
 * Writes that stand under a name: one key, one body, one result, kept in the store.
 *
 * Steps, each of which a process may die after: lease · mark of the key's age · record with the key · sending · result in
 * the record · lease given back. Whatever was reached, the next call under the name finishes it.
 */
export class NamedOperations {
  readonly #parts: NamedOperationsParts;

  constructor(parts: NamedOperationsParts) {
    this.#parts = parts;
  }

  /** The result of the name: of its first call where there was one, else of this call. */
  async run<T>(work: NamedWork<T>): Promise<CallResult<T>> {
    const store = this.#storeOf(work);
    const { clock, newKey } = this.#parts;
    const digest = await this.#reach(work, 'digest', () => this.#parts.seal.digest(work.request, work.name));
    const giveUpAt = Math.min(work.deadlineAt, monotonicNow(clock) + work.maxWait);
    const lease = { store, clock, key: this.#key('operation-leases', work), holder: newKey(), ttlMs: LEASE_MS };
    for (let looks = 0; ; looks += 1) {
      const { record } = await this.#read(store, work);
      if (record?.result !== undefined) return this.#act(store, work, { digest, check: () => {} });

      const taken = await this.#reach(work, 'take lease', () => takeLease(lease));
      if (taken) {
        const check = (): void => {
          if (!taken.isHeld()) throw new LeaseLostError('The lease of the name was lost.');
        };
        try {
          return await this.#act(store, work, { digest, check });
        } finally {
          taken.release().catch((error: unknown) => this.#tell('release lease of operation', error));
        }
      }
      await this.#waitForOther(work, looks, giveUpAt);
    }
  }

  /** One call at a time comes here, as far as a lease can tell. */
  async #act<T>(store: Store, work: NamedWork<T>, held: { digest: string; check: () => void }): Promise<CallResult<T>> {
    const { digest, check } = held;
    const { record, text } = await this.#read(store, work);
    const isFresh = record === undefined || record.result !== undefined || (await this.#isFresh(store, work, record));
    switch (decideNamed({ record, digest, isFresh })) {
      case 'begin':
        return this.#begin(store, work, digest, check);
      case 'give_result':
        return this.#resultOf(work, record!);
      case 'refuse_other_body':
        throw this.#error(work, 'body_differs', { outcome: 'not_sent', record });
      case 'send_again':
        return this.#send(store, work, await this.#countSending(store, work, record!, text!), check);
      case 'look_only':
        return this.#settle(
          store,
          work,
          { record: record!, text: text! },
          async () => (await work.look?.(record!)) ?? { outcome: 'unknown' },
        );
    }
  }

  async #begin<T>(store: Store, work: NamedWork<T>, digest: string, check: () => void): Promise<CallResult<T>> {
    const { clock, newKey } = this.#parts;
    const record: OperationRecord = {
      format: 1,
      key: newKey(),
      request: `${work.method} ${work.template}`,
      digest,
      sendings: 1,
      firstSentAtMs: clock.now(),
    };
    const text = JSON.stringify(record);
    await this.#reach(work, 'write key', async () => {
      // First the mark of its age: a key without one counts as too old to be sent again.
      await store.set(this.#freshKey(work, record), 'fresh', { ttlMs: REPLAYABLE_MS });
      const isFirst = await store.setIfAbsent(this.#key('operations', work), text, { ttlMs: KEPT_MS });
      if (!isFirst) throw new LeaseLostError('Another call has written under the name.');
    });
    return this.#send(store, work, { record, text }, check);
  }

  /** So that a refusal of this sending is not taken for the fate of an earlier one. */
  async #countSending(store: Store, work: NamedWork<unknown>, record: OperationRecord, text: string): Promise<Written> {
    const next = { ...record, sendings: record.sendings + 1 };
    const nextText = JSON.stringify(next);
    await this.#reach(work, 'write sending', async () => {
      if (await store.compareAndSet(this.#key('operations', work), text, nextText, { ttlMs: KEPT_MS })) return;
      throw new LeaseLostError('Another call has written under the name.');
    });
    return { record: next, text: nextText };
  }

  async #send<T>(store: Store, work: NamedWork<T>, written: Written, check: () => void): Promise<CallResult<T>> {
    const { record } = written;
    let result: CallResult<T>;
    try {
      result = await work.send(record.key, check);
    } catch (error) {
      const outcome = error instanceof CallError || error instanceof RequestValidationError ? error.outcome : 'unknown';
      if (outcome === 'not_sent' && error instanceof CallError && error.cause instanceof LeaseLostError) {
        throw this.#error(work, 'in_progress', { outcome: 'not_sent', record, cause: error });
      }
      const isDefinite = outcome === 'not_sent' || outcome === 'refused';
      if (isDefinite && record.sendings === 1) {
        await this.#free(store, work, written);
        throw error;
      }
      if (isDefinite) return this.#afterLateRefusal(store, work, written, error);
      throw this.#error(work, 'unknown', {
        outcome: outcome ?? 'unknown',
        record,
        cause: error,
        resolve: () => this.#resolve(work),
      });
    }
    await this.#finish(store, work, written, result);
    return result;
  }

  /** The refusal may be the consequence of an earlier sending: where the resource shows that one, it is the result. */
  async #afterLateRefusal<T>(
    store: Store,
    work: NamedWork<T>,
    written: Written,
    refusal: unknown,
  ): Promise<CallResult<T>> {
    return this.#settle(store, work, written, async () => {
      const seen = await work.look?.(written.record);
      // That it is not to be seen proves nothing: the earlier sending may still be executed.
      return seen?.outcome === 'applied' ? seen : { outcome: 'unknown', cause: refusal };
    });
  }

  /** Turns what was found out into the result of the call, and notes it. */
  async #settle<T>(
    store: Store,
    work: NamedWork<T>,
    written: Written,
    find: () => Promise<OperationResolution<T>>,
  ): Promise<CallResult<T>> {
    const found = await find();
    if (found.outcome === 'applied') {
      const result: CallResult<T> = {
        data: found.data,
        status: 200,
        headers: {},
        requestId: null,
        attempts: 0,
        idempotencyKey: written.record.key,
      };
      await this.#finish(store, work, written, result);
      return result;
    }
    if (found.outcome === 'not_applied') {
      await this.#free(store, work, written);
      throw found.cause ?? this.#error(work, 'not_applied', { outcome: 'refused', record: written.record });
    }
    throw this.#error(work, 'unknown', {
      outcome: 'unknown',
      record: written.record,
      cause: found.cause,
      resolve: () => this.#resolve(work),
    });
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

  async #finish<T>(store: Store, work: NamedWork<T>, { record, text }: Written, result: CallResult<T>): Promise<void> {
    const { data, status, requestId } = result;
    const stored: StoredResult = { ...(data === undefined ? {} : { data }), status, requestId };
    try {
      const sealed = await this.#parts.seal.seal(JSON.stringify(stored), work.name);
      const next = JSON.stringify({ ...record, result: sealed } satisfies OperationRecord);
      await store.compareAndSet(this.#key('operations', work), text, next, { ttlMs: KEPT_MS });
    } catch (error) {
      // The operation is done. The next call under the name finds the key, and gets the same response for it.
      this.#tell('write result of operation', error);
    }
  }

  /** Nothing happened under the name: it may stand for another try. */
  async #free(store: Store, work: NamedWork<unknown>, { text }: Written): Promise<void> {
    try {
      await store.compareAndDelete(this.#key('operations', work), text);
    } catch (error) {
      this.#tell('free name of operation', error);
    }
  }

  async #resultOf<T>(work: NamedWork<T>, record: OperationRecord): Promise<CallResult<T>> {
    const text = await this.#reach(work, 'open result', () => this.#parts.seal.open(record.result ?? '', work.name));
    if (text === undefined) throw this.#error(work, 'result_unreadable', { outcome: 'applied', record });
    const { data, status, requestId } = JSON.parse(text) as StoredResult;
    return { data: data as T, status, headers: {}, requestId, attempts: 0, idempotencyKey: record.key };
  }

  async #read(store: Store, work: NamedWork<unknown>): Promise<{ record?: OperationRecord; text?: string }> {
    return this.#reach(work, 'read record', async () => {
      const text = await store.get(this.#key('operations', work));
      if (text === undefined) return {};
      const record = parseOperationRecord(text);
      if (!record) throw new Error('The record of the name was written by another program or version.');
      return { record, text };
    });
  }

  #isFresh(store: Store, work: NamedWork<unknown>, record: OperationRecord): Promise<boolean> {
    return this.#reach(
      work,
      'read age of key',
      async () => (await store.get(this.#freshKey(work, record))) !== undefined,
    );
  }

  async #waitForOther(work: NamedWork<unknown>, looks: number, giveUpAt: number): Promise<void> {
    const { clock, random } = this.#parts;
    const waitMs = Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 1.5 ** looks) * (1 + random() / 4);
    if (monotonicNow(clock) + waitMs > giveUpAt) throw this.#error(work, 'in_progress', { outcome: 'not_sent' });
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
    if (this.#parts.store) return this.#parts.store;
    throw new ConfigurationError(
      'The option "operation" needs a store that keeps the name: give the client one (docs/stores.md), or "store: memoryStore()" where one process is enough.',
    );
  }

  /** Without the store nothing is sent: a name that forgets its key could be executed twice. */
  async #reach<T>(work: NamedWork<unknown>, step: string, reach: () => Promise<T>): Promise<T> {
    try {
      return await reach();
    } catch (cause) {
      if (cause instanceof LeaseLostError) throw this.#error(work, 'in_progress', { outcome: 'not_sent' });
      this.#tell(`${step} of operation`, cause);
      throw this.#error(work, 'store_failed', { outcome: 'not_sent', cause });
    }
  }

  #tell(operation: string, error: unknown): void {
    this.#parts.health.failed(operation, error);
  }

  #key(kind: string, { name }: NamedWork<unknown>): string {
    return `${this.#parts.prefix}:${kind}:${name}`;
  }

  #freshKey(work: NamedWork<unknown>, { key }: OperationRecord): string {
    return `${this.#key('operation-ages', work)}:${key}`;
  }

  #error(work: NamedWork<unknown>, reason: NamedOperationReason, facts: ErrorFacts): NamedOperationError {
    const { outcome, record, cause, resolve } = facts;
    return new NamedOperationError(
      `The operation "${work.name}" (${work.method} ${work.template}) ${MESSAGES[reason] ?? reason}.`,
      {
        method: work.method,
        path: work.template,
        attempts: cause instanceof CallError ? cause.attempts : 0,
        outcome,
        idempotencyKey: record?.key,
        replayableUntil: cause instanceof CallError ? cause.replayableUntil : undefined,
        operation: work.name,
        reason,
        resolve,
      },
      { cause },
    );
  }
}

/** Ends a wait with the caller's signal, and with the client. */
function endOfWait({ name, method, template: path, signal, closing }: NamedWork<unknown>) {
  const controller = new AbortController();
  const facts = { method, path, attempts: 0, outcome: 'not_sent' } as const;
  const what = `The operation "${name}" (${method} ${path}) was not sent`;
  const onSignal = (): void => {
    controller.abort(
      new APIUserAbortError(`${what}: the signal of the caller ended the call.`, facts, { cause: signal?.reason }),
    );
  };
  const onClose = (): void => controller.abort(new ClientClosedError(`${what}: the client was closed.`, facts));
  const ignoreSignal = signal && onAbort(signal, onSignal);
  const ignoreClose = closing?.onClose(onClose);
  if (signal?.aborted) onSignal();
  else if (closing?.isClosed) onClose();
  return {
    signal: controller.signal,
    forget: (): void => {
      ignoreSignal?.();
      ignoreClose?.();
    },
  };
}

interface Written {
  readonly record: OperationRecord;
  readonly text: string;
}

interface ErrorFacts {
  readonly outcome: 'not_sent' | 'refused' | 'applied' | 'unknown';
  readonly record?: OperationRecord | undefined;
  readonly cause?: unknown;
  readonly resolve?: (() => Promise<OperationResolution>) | undefined;
}

const MESSAGES: Readonly<Record<string, string>> = {
  body_differs:
    'was not sent: the name stands for another request already. A name is for one request; give this one a name of its own',
  in_progress: 'was not sent: another call is at work under the name. Call again later for its result',
  store_failed:
    'was not sent: its key could not be written to, or read from, the store. Call again when the store can be reached',
  unknown:
    'may have been executed: no response tells. Call resolve() of this error, or make the same call again; both use the same key',
  not_applied: 'was not executed. The name is free for another try',
  result_unreadable:
    'was executed, and its result cannot be opened: it was sealed with another secret. Read the resource instead, and set "tokenKey", which outlives a rotated client secret',
};
