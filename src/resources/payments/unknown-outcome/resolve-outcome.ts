import type { Order, Payment, Refund } from '../../../contract/index.js';
import { UnprocessableEntityError } from '../../../errors/api.js';
import { CallError } from '../../../errors/call.js';
import type { Resolution, ResolveOptions } from '../../../errors/payment.js';
import { isReplayable } from '../../../http/response/replay-window.js';
import { type Clock, sleep } from '../../../platform/clock.js';
import { startTimeLimit, type TimeLimit, type TimeLimitOptions } from '../../time-limit.js';
import type { OrderReading } from '../order-reading.js';

/** What an order tells about a payment or refund whose answer was lost. */
export type Found<T> =
  | { readonly kind: 'present'; readonly record: T }
  /** It took place, and ended without moving money. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'absent' }
  /** The order does not show enough to tell; a repetition could execute it twice. */
  | { readonly kind: 'undecidable' };

/** A payment or refund that was sent, and how to find or repeat it. */
export interface LostAnswer<T extends Payment | Refund> {
  readonly clock: Clock;
  /** Template of the request, for errors. */
  readonly path: string;
  /** When it was sent first, on this process's clock. */
  readonly startedAtLocalMs: number;
  readonly readOrder: (options: TimeLimitOptions) => Promise<OrderReading>;
  readonly find: (order: Order, startedAt: Date) => Found<T>;
  /** Sends the same key and bytes once more, in one attempt or several that were not executed. */
  readonly repeat: (options: TimeLimitOptions) => Promise<T>;
}

/** Waits between readings, in milliseconds: a reading may lag behind what was executed. */
const LOOKS_MS = [0, 1000, 2000];

/**
 * Finds out what became of it: reads the order, and repeats the same key and bytes once when the order does not show
 * it (reliability rules, "The payment protocol").
 */
export async function resolveOutcome<T extends Payment | Refund>(
  lost: LostAnswer<T>,
  { replay = true, signal, deadline }: ResolveOptions = {},
): Promise<Resolution<T>> {
  const limit = startTimeLimit(lost.clock, { signal, deadline }, { method: 'POST', path: lost.path });
  try {
    return await resolveWithin(lost, limit, replay);
  } catch (cause) {
    return { outcome: 'unknown', cause };
  } finally {
    limit.end();
  }
}

async function resolveWithin<T extends Payment | Refund>(
  lost: LostAnswer<T>,
  limit: TimeLimit,
  replay: boolean,
): Promise<Resolution<T>> {
  const seen = await look(lost, limit);
  const sure = resolutionOf(seen);
  if (sure) return sure;
  if (!replay || seen.found.kind === 'undecidable' || !mayRepeat(lost, seen)) {
    return { outcome: 'unknown', order: seen.order };
  }

  let refusal: UnprocessableEntityError | undefined;
  let cause: unknown;
  try {
    const record = await lost.repeat(limit.forCall());
    return { outcome: 'applied', record, order: await orderAfter(lost, limit, seen.order) };
  } catch (error) {
    cause = error;
    if (isRefusal(error)) refusal = error;
  }
  // A refused repetition proves nothing of the first request; only the order without it does.
  const after = await look(lost, limit);
  const known = resolutionOf(after);
  if (known) return known;
  if (refusal && after.found.kind === 'absent') return { outcome: 'not_applied', order: after.order, cause: refusal };
  return { outcome: 'unknown', order: after.order, cause };
}

interface Seen<T> extends OrderReading {
  readonly found: Found<T>;
}

async function look<T extends Payment | Refund>(lost: LostAnswer<T>, limit: TimeLimit): Promise<Seen<T>> {
  let last: Seen<T> | undefined;
  for (const delayMs of LOOKS_MS) {
    await sleep(lost.clock, delayMs, limit.signal);
    const reading = await lost.readOrder(limit.forCall());
    const aheadMs = reading.serverNowMs === undefined ? 0 : reading.serverNowMs - lost.clock.now();
    last = { ...reading, found: lost.find(reading.order, new Date(lost.startedAtLocalMs + aheadMs)) };
    if (last.found.kind !== 'absent') return last;
  }
  return last as Seen<T>;
}

function resolutionOf<T extends Payment | Refund>({ found, order }: Seen<T>): Resolution<T> | undefined {
  if (found.kind === 'present') return { outcome: 'applied', record: found.record, order };
  return found.kind === 'failed' ? { outcome: 'not_applied', order } : undefined;
}

function mayRepeat<T extends Payment | Refund>(lost: LostAnswer<T>, { serverNowMs }: OrderReading): boolean {
  const nowLocalMs = lost.clock.now();
  const aheadMs = serverNowMs === undefined ? 0 : Math.max(0, serverNowMs - nowLocalMs);
  const { startedAtLocalMs } = lost;
  // The service's clock now is measured, at the first sending it was not: a difference counts as age.
  const first = { startedAtMs: startedAtLocalMs, startedAtLocalMs };
  return isReplayable(first, { nowMs: nowLocalMs + aheadMs, nowLocalMs });
}

async function orderAfter<T extends Payment | Refund>(
  lost: LostAnswer<T>,
  limit: TimeLimit,
  before: Order,
): Promise<Order> {
  try {
    return (await lost.readOrder(limit.forCall())).order;
  } catch {
    return before;
  }
}

function isRefusal(error: unknown): error is UnprocessableEntityError {
  return error instanceof CallError && error.outcome === 'refused' && error instanceof UnprocessableEntityError;
}
