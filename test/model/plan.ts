import type { OnlineOrderingOptions, Tender } from 'online-ordering-sdk';
import type { Draws } from './draws.js';
import type { Passage, Step, StoreFate, Suspension } from './sim-process.js';
import { type Arrived, type Behaviour, type Fate, KIND } from './unkind-service.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const TOTAL = 2000;

/** Kinds of trouble; each history knows some of them, so that they also meet alone. */
const TROUBLES = [
  ...(['lost', 'late', 'errors', 'gateway', 'rateLimits', 'declines', 'pending', 'lag', 'records', 'crashes'] as const),
  ...(['suspensions', 'store', 'clocks', 'callers', 'limits', 'slowConnections', 'elsewhere', 'reads'] as const),
];
export type Trouble = (typeof TROUBLES)[number];

/** What a history is about, beside all that may happen in any: constellations that chance alone seldom brings. */
type Focus =
  | 'none'
  /** Declined tenders are sent again with their key, and the answers to that are lost. */
  | 'retries'
  /** Processes sleep when a payment is about to leave, and others take the order meanwhile. */
  | 'sleepers'
  /** The service executes for longer than it is given, and declines a second request with a key. */
  | 'duplicates';

/** What the client is told of the service: for how long it may go on executing, and how far its readings lag. */
export interface Horizon {
  readonly horizonMs: number;
  readonly lagMs: number;
  /** Given as options; otherwise the defaults hold. */
  readonly isTold: boolean;
}

export interface Plan {
  readonly troubles: ReadonlySet<Trouble>;
  readonly focus: Focus;
  /** How often trouble comes. */
  readonly rate: number;
  readonly horizon: Horizon;
  readonly tenders: readonly Tender[];
  readonly lanes: number;
  readonly clientOptions: Partial<OnlineOrderingOptions>;
}

export function drawPlan(draws: Draws): Plan {
  const focus = draws.pick<Focus>('focus', ['none', 'none', 'none', 'retries', 'sleepers', 'duplicates']);
  const troubles = new Set(TROUBLES.filter((name) => draws.chance(`trouble.${name}`, 0.4)));
  for (const name of NEEDED[focus]) troubles.add(name);
  return {
    troubles,
    focus,
    rate: draws.pick('rate', [0.05, 0.15, 0.3, 0.5]),
    horizon: drawHorizon(draws, focus),
    tenders: drawTenders(draws),
    lanes: troubles.has('callers') ? draws.whole('lanes', focus === 'sleepers' ? 2 : 1, 3) : 1,
    clientOptions: {
      ...(draws.chance('timeout', 0.4) ? { timeout: draws.pick('timeout.ms', [5000, 15_000]) } : {}),
      ...(draws.chance('maxRetries', 0.3) ? { maxRetries: 0 } : {}),
    },
  };
}

function drawHorizon(draws: Draws, focus: Focus): Horizon {
  const standard = { horizonMs: 90_000, lagMs: 30_000, isTold: false };
  const short = { horizonMs: 20_000, lagMs: 5000, isTold: true };
  // A service that serialises keys and reads what it wrote.
  const none = { horizonMs: 0, lagMs: 0, isTold: true };
  if (focus === 'sleepers') return draws.pick('horizon', [short, short, none]);
  return draws.pick('horizon', [standard, standard, short, { horizonMs: 120_000, lagMs: 10_000, isTold: true }, none]);
}

const NEEDED: Readonly<Record<Focus, readonly Trouble[]>> = {
  none: [],
  retries: ['declines', 'errors', 'pending'],
  sleepers: ['suspensions', 'callers'],
  duplicates: ['late', 'gateway'],
};

const FIXED: readonly (readonly [Tender, readonly number[]])[] = [
  [{ payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'points-1', amount: 0 }, [100, 150]],
  [{ payment_method: 'GIFT_CARD', gift_card_number: 'gift-1', amount: 0 }, [200, 500]],
  [{ payment_method: 'GIFT_CARD', gift_card_number: 'gift-2', amount: 0 }, [200, 300]],
  [{ payment_method: 'CREDIT_CARD', payment_token: 'card-1', amount: 0 }, [400, 700]],
];
const REST: readonly Tender[] = [
  { payment_method: 'CREDIT_CARD', payment_token: 'card-2', amount: 'remaining' },
  { payment_method: 'DIGITAL_WALLET', payment_token: 'wallet-1', amount: 'remaining' },
  { payment_method: 'GIFT_CARD', gift_card_number: 'gift-3', amount: 'remaining' },
];

function drawTenders(draws: Draws): readonly Tender[] {
  const some = FIXED.filter((_, index) => draws.chance(`tender.${index}`, 0.4)).map(([tender, amounts]) => ({
    ...tender,
    amount: draws.pick('tender.amount', amounts),
  }));
  const [first] = some;
  const twice = first && draws.chance('tender.twice', 0.12) ? [...some, { ...first }] : some;
  const hasRest = twice.length === 0 || draws.chance('tender.rest', 0.6);
  return hasRest ? [...twice, draws.pick('tender.rest.which', REST)] : twice;
}

/** The service for a while: each switch may be unkind, within what the client is told. */
export function drawBehaviour(draws: Draws, { troubles, horizon, focus }: Plan): Behaviour {
  const isSerial = horizon.horizonMs === 0;
  const lagMs =
    isSerial || !troubles.has('lag') ? 0 : Math.round(horizon.lagMs * draws.pick('lag', [0, 0.2, 0.5, 0.95]));
  const lagOf = draws.pick('lag.of', ['all', 'list', 'sums'] as const);
  const hasOddRecords = troubles.has('records');
  return {
    ...KIND,
    keysInFlight: isSerial
      ? 'wait'
      : draws.unusual('keysInFlight', 0.8, 'wait', ['run_twice', 'run_twice', 'conflict']),
    overpayment: draws.unusual('overpayment', 0.6, 'refuse', ['accept']),
    duplicates: focus === 'duplicates' ? 'decline' : 'execute',
    readLagMs: lagOf === 'all' ? lagMs : 0,
    listLagMs: lagOf === 'list' ? lagMs : 0,
    sumsLagMs: lagOf === 'sums' ? lagMs : 0,
    keysShown: !draws.mishap('keysHidden', 0.7),
    methodShown: hasOddRecords ? draws.unusual('methodShown', 0.3, undefined, ['APPLE_PAY']) : undefined,
    amountShownAboveBy: hasOddRecords ? draws.unusual('amountShown', 0.2, 0, [10]) : 0,
    declinesShown: !draws.mishap('declinesHidden', 0.3),
    failedInFront: hasOddRecords && draws.mishap('failedInFront', 0.4),
    dateHeader: !draws.mishap('dateHidden', 0.3),
    clockAheadMs: troubles.has('clocks') ? draws.unusual('serviceClock', 0.4, 0, [-20 * MINUTE, 10 * MINUTE]) : 0,
    balanceCountsPending: !draws.mishap('balanceIgnoresPending', 0.3),
    sumsAsCents: draws.mishap('sumsAsCents', 0.2),
  };
}

/** A payment that its caller never sends again, or which sending of a settlement's payment it is. */
type Sending = 'only' | 'first' | 'later';

/**
 * How long a payment may be executed at most: afterwards even the slowest reading shows it within the horizon. Where
 * duplicates are declined, the first sending may take longer, since a settlement sends once more: it shows within the
 * horizon of the later sending. That one may not: a FAILED record of the first ends the doubt while it is still executed.
 * Where it waits for the first, its own execution begins when the first ends.
 */
function longestExecutionMs({ horizon }: Plan, behaviour: Behaviour, sending: Sending): number {
  const { horizonMs } = horizon;
  if (horizonMs === 0) return 50 * SECOND;
  const { readLagMs, listLagMs, sumsLagMs, duplicates, keysInFlight } = behaviour;
  const isDeclined = duplicates === 'decline';
  if (isDeclined && sending === 'later' && keysInFlight === 'wait') return 0.15 * horizonMs;
  const horizons = isDeclined && sending === 'first' ? 1.8 : 1;
  return horizons * horizonMs - Math.max(readLagMs, listLagMs, sumsLagMs) - 4 * SECOND;
}

export function drawFate(
  draws: Draws,
  plan: Plan,
  behaviour: Behaviour,
  request: Arrived & { readonly sending: Sending },
): Fate {
  const { troubles, rate } = plan;
  if (request.method === 'GET') {
    const isRefused = troubles.has('reads') && draws.mishap('read.fails', rate / 2);
    return isRefused ? { refusedWith: draws.pick('read.fails.how', [401, 503]) } : {};
  }
  if (troubles.has('rateLimits') && draws.mishap('rateLimited', rate)) {
    return { refusedWith: 429, retryAfterSeconds: draws.pick('retryAfter', [1, 5, 20, 61]) };
  }
  if (troubles.has('errors') && draws.mishap('tokenRefused', rate / 5)) return { refusedWith: 401 };
  const longest = longestExecutionMs(plan, behaviour, request.sending);
  const isLate = troubles.has('late') && draws.mishap('late', rate);
  const executesMs = isLate
    ? Math.round(longest * draws.pick('late.by', [0.05, 0.1, 0.3, 0.6, 0.9, 0.99]))
    : draws.whole('executes', 20, 900);
  const gatewayAfterMs =
    troubles.has('gateway') && draws.mishap('gateway', rate)
      ? draws.pick('gateway.after', [5, 2000, 29_000])
      : undefined;
  return {
    executesMs,
    outcome: drawOutcome(draws, plan),
    pendingMs: draws.pick('pendingMs', [500, 3000, 20_000, 90_000]),
    // A service without a horizon remembers whatever it executed: else a request that waits there would be executed too.
    errorAfter:
      plan.horizon.horizonMs > 0 &&
      troubles.has('errors') &&
      draws.mishap('errorAfter', plan.focus === 'retries' ? 0.4 : rate),
    leavesFailedRecord: draws.chance('leavesFailedRecord', 0.5),
    ...(gatewayAfterMs === undefined ? {} : { gatewayAfterMs }),
  };
}

function drawOutcome(draws: Draws, { troubles, rate, focus }: Plan): Fate['outcome'] {
  const isDeclined = troubles.has('declines') && draws.mishap('declined', focus === 'retries' ? 0.4 : rate);
  if (isDeclined) return 'declined';
  if (troubles.has('errors') && draws.mishap('errorBefore', rate)) return 'error';
  if (troubles.has('pending') && draws.mishap('pending', rate)) {
    return draws.mishap('pendingFails', 0.4) ? 'pending_failed' : 'pending_completed';
  }
  return 'completed';
}

export function drawPassage(draws: Draws, { troubles, rate }: Plan, isWrite: boolean): Passage {
  const usual: Passage = {
    // Mostly there is a connection, and the bytes leave at once.
    connectMs: draws.chance('connected', 0.6) ? 0 : draws.whole('connect', 1, 5),
    thereMs: draws.whole('there', 1, 40),
    backMs: draws.whole('back', 1, 40),
    answer: 'arrives',
  };
  const slow = troubles.has('slowConnections') && draws.mishap('slowConnection', rate / 2);
  const connectMs = slow ? draws.pick('slowConnection.ms', [2000, 8000, 12_000, 25_000]) : usual.connectMs;
  if (!troubles.has('lost')) return { ...usual, connectMs };
  if (draws.mishap('noConnection', rate / 4)) return { ...usual, connectMs, isRefused: true };
  if (!isWrite && !draws.mishap('read.lost', rate / 2)) return { ...usual, connectMs };
  if (draws.mishap('lostOnTheWay', rate / 3)) {
    return { ...usual, connectMs, isLostOnTheWay: true, answer: draws.pick('lostOnTheWay.how', ['silence', 'reset']) };
  }
  const answer = draws.unusual<Passage['answer']>('answerLost', rate, 'arrives', ['reset', 'silence', 'cut']);
  return { ...usual, connectMs, answer };
}

export function drawStoreFate(draws: Draws, { troubles, rate }: Plan): StoreFate {
  const usual = { thereMs: draws.whole('store.there', 0, 3), backMs: draws.whole('store.back', 0, 3) };
  if (!troubles.has('store')) return usual;
  if (draws.mishap('store.stalls', rate / 10)) {
    const ms = draws.pick('store.stalls.ms', [4000, 15_000, 45_000, 10 * MINUTE]);
    return draws.chance('store.stalls.there', 0.5) ? { ...usual, thereMs: ms } : { ...usual, backMs: ms };
  }
  if (draws.mishap('store.fails', rate / 6))
    return { ...usual, fails: draws.pick('store.fails.when', ['before', 'after']) };
  return usual;
}

/** Steps of a process: what reaches it and what leaves it. */
export function drawMishapAt(
  draws: Draws,
  { troubles, rate, focus }: Plan,
  what: Step,
): 'dies' | Suspension | undefined {
  if (focus === 'sleepers' && what === 'payment' && draws.mishap('suspended.sending', 0.3)) {
    const suspendedMs = draws.pick('suspended.sending.ms', [20_000, 45_000, 100_000, 250_000]);
    return { suspendedMs, isAsleep: !troubles.has('clocks') && draws.chance('suspended.asleep', 0.5) };
  }
  if (troubles.has('crashes') && draws.mishap('dies', rate / 20)) return 'dies';
  if (troubles.has('suspensions') && draws.mishap('suspended', rate / 20)) {
    const suspendedMs = draws.pick('suspended.ms', [2000, 12_000, 34_000, 45_000, 100_000]);
    // Only the wall clock tells of a sleep, so that it must not be moved in the same history.
    return { suspendedMs, isAsleep: !troubles.has('clocks') && draws.chance('suspended.asleep', 0.3) };
  }
  return undefined;
}
