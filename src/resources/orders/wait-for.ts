import type { Order } from '../../contract/index.js';
import { RequestValidationError } from '../../errors/local.js';
import type { Closing } from '../../http/exchange/closing.js';
import { type Clock, sleep } from '../../platform/clock.js';
import { isTransient } from '../is-transient.js';
import { refuseUnknownOptions } from '../known-options.js';
import { type PollingOptions, pollDelayMs, resolvePolling } from '../polling.js';
import { startTimeLimit, type TimeLimitOptions } from '../time-limit.js';

/** What an order is waited for; a predicate says it for itself. */
export type Milestone = 'paid' | 'ready' | 'handed_over' | ((order: Order) => boolean);

/** Why a goal is out of reach. `'completed'`: the order ended well, and a predicate still does not hold. */
export type OrderEnding = 'cancelled' | 'failed' | 'voided' | 'returned' | 'completed';

/** How a wait ended. */
export type WaitForResult =
  | {
      /** The goal holds. */
      readonly reached: true;
      /** The order as last read. */
      readonly order: Order;
    }
  | {
      /** The goal can no longer be reached. */
      readonly reached: false;
      /** How the order ended. */
      readonly ended: OrderEnding;
      /** The order as last read. */
      readonly order: Order;
    };

/** How an order is followed, and for how long. */
export interface WaitForOptions {
  /** Waits between two reads; without `maxWaitMs`, since `deadline` bounds the whole. */
  polling?: PollingOptions | undefined;
  /** Ends it at once, waits included. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole of it. @defaultValue none: it follows the order for as long as it lives */
  deadline?: number | undefined;
  /**
   * Told of the order at the first read, and at each one that finds a state changed, the last included: for a display
   * that follows. States that came and went between two reads are not seen. The wait goes on when it is done, and fails
   * when it throws.
   */
  onChange?: ((order: Order) => unknown) | undefined;
}

export interface WaitForDeps {
  readonly clock: Clock;
  readonly closing?: Closing | undefined;
  readonly read: (options: TimeLimitOptions) => Promise<Order>;
}

const OPTIONS: Readonly<Record<keyof WaitForOptions, true>> = {
  polling: true,
  signal: true,
  deadline: true,
  onChange: true,
};

const READ_CALL = { method: 'GET', path: '/orders/{order_id}' };

/** Reads an order until the goal is reached, or cannot be reached any more. */
export async function waitForOrder(
  { clock, closing, read }: WaitForDeps,
  goal: Milestone,
  options: WaitForOptions,
): Promise<WaitForResult> {
  refuseUnknownOptions(options, OPTIONS);
  const { polling, signal, deadline, onChange } = options;
  const holds = predicateOf(goal);
  const pace = resolvePolling(polling);
  const limit = startTimeLimit(clock, { signal, deadline }, { ...READ_CALL, closing });
  try {
    let seen = '';
    for (let n = 0; ; n += 1) {
      const order = await read(limit.forCall()).catch(unlessTransient);
      const states = order ? statesOf(order) : seen;
      if (order && states !== seen) {
        if (onChange) await limit.ask(() => onChange(order));
        // An order that moved is likely to move again soon.
        n = 0;
      }
      seen = states;
      const result = order && resultOf(order, goal, holds);
      if (result) return result;
      await sleep(clock, pollDelayMs(pace, n), limit.waits);
    }
  } finally {
    limit.end();
  }
}

/** What holds of the order now, or `undefined` when there is reason to wait. */
export function resultOf(
  order: Order,
  goal: Milestone,
  holds: (order: Order) => boolean = predicateOf(goal),
): WaitForResult | undefined {
  const ended = endingOf(order);
  // A goal that was passed on the way counts, unless the order was undone since.
  if (ended === undefined || ended === 'completed' || typeof goal === 'function') {
    if (holds(order)) return { reached: true, order };
  }
  return ended === undefined ? undefined : { reached: false, ended, order };
}

function predicateOf(goal: Milestone): (order: Order) => boolean {
  if (typeof goal === 'function') return goal;
  if (Object.hasOwn(MILESTONES, goal)) return MILESTONES[goal];
  const message = "it must be 'paid', 'ready', 'handed_over' or a function of the order";
  throw new RequestValidationError(`What to wait for is not known: ${message}.`, {
    problems: [{ field: 'goal', message }],
  });
}

const MILESTONES = {
  paid: (order: Order) => order.payment_status === 'PAID',
  ready: (order: Order) => order.fulfillment_status === 'READY_FOR_PICKUP' || isHandedOver(order),
  handed_over: isHandedOver,
} as const;

/**
 * The terminal success of each mode (interface document, "Fulfillment status"). An order of an unknown mode is handed
 * over in either state.
 */
function isHandedOver(order: Order): boolean {
  const mode = order.handoff_mode ?? order.handoff?.mode;
  const { fulfillment_status: state } = order;
  switch (mode) {
    case 'DELIVERY':
      return state === 'DELIVERED';
    case 'PICKUP':
    case 'CURBSIDE':
    case 'KIOSK':
      return state === 'FULFILLED';
    default:
      return state === 'FULFILLED' || state === 'DELIVERED';
  }
}

/** How the order ended, or `undefined` while it goes on. */
export function endingOf(order: Order): OrderEnding | undefined {
  if (order.status === 'CANCELLED' || order.fulfillment_status === 'CANCELLED') return 'cancelled';
  if (order.status === 'FAILED') return 'failed';
  if (order.status === 'VOIDED') return 'voided';
  if (order.fulfillment_status === 'RETURNED') return 'returned';
  // Paid afterwards, at the counter, an order may still change.
  const isOver = order.status === 'COMPLETED' || isHandedOver(order);
  return isOver && order.payment_status === 'PAID' ? 'completed' : undefined;
}

function statesOf({ status, payment_status, fulfillment_status }: Order): string {
  return `${status} ${payment_status} ${fulfillment_status}`;
}

function unlessTransient(error: unknown): undefined {
  if (!isTransient(error)) throw error;
  return undefined;
}
