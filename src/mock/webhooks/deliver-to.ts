import type { Random } from '../../platform/random.js';
import { demand, objectOf, optional, text, trueOrFalse, wholeNumber } from '../checks/check.js';
import type { ServiceState } from '../state/state.js';
import { type Attempt, type Deliveries, type RecordedDelivery, subscribersOf } from './deliveries.js';
import type { RecordedEvent } from './event-log.js';
import type { DeliveryTarget } from './send.js';

/** How events are delivered to a target. */
export interface DeliverToOptions {
  /** How often each event is delivered. @defaultValue 1 */
  readonly duplicates?: number | undefined;
  /** Delivers in a random order, which depends on the seed. @defaultValue false */
  readonly shuffle?: boolean | undefined;
  /**
   * Signs with this secret, and delivers every event, subscribed or not. Without it each event goes out once for each
   * subscription that asked for its type, signed with that subscription's secret.
   */
  readonly signWith?: string | undefined;
  /** Only the events of this subscription. */
  readonly subscriptionId?: string | undefined;
}

export interface DeliverToDeps {
  readonly deliveries: Deliveries;
  readonly events: readonly RecordedEvent[];
  readonly state: ServiceState;
}

const OPTIONS = objectOf<DeliverToOptions>(
  {
    duplicates: optional(wholeNumber(1, 'a whole number of deliveries, from 1 on')),
    shuffle: optional(trueOrFalse),
    signWith: optional(text),
    subscriptionId: optional(text),
  },
  { called: 'option' },
);

/** Stands for the secret of `signWith` in place of a subscription. */
const OWN_SECRET = '*';

/** By address of a target and event: the subscriptions for which it was taken. */
export type KeptPushes = readonly (readonly [target: string, taken: ReadonlyMap<string, Set<string>>])[];

/** Remembers per target what it has taken, so that each call delivers the rest. */
export class Pushes {
  readonly #random: Random;
  /** By target and event: the subscriptions for which it was taken, or is on its way. */
  #taken = new Map<DeliveryTarget, Map<string, Set<string>>>();

  constructor(random: Random) {
    this.#random = random;
  }

  reset(): void {
    this.#taken = new Map();
  }

  /** What the targets with an address have taken. */
  kept(): KeptPushes {
    return [...this.#taken].flatMap(([target, taken]) =>
      typeof target === 'function' ? [] : [[String(target), taken] as const],
    );
  }

  restore(kept: KeptPushes): void {
    for (const [target, taken] of kept) this.#taken.set(target, new Map(taken));
  }

  /** Puts a list into another order, by the seed. */
  shuffle(list: unknown[]): void {
    shuffleInPlace(list, this.#random);
  }

  async deliverTo(
    target: DeliveryTarget,
    options: DeliverToOptions,
    { deliveries, events, state }: DeliverToDeps,
  ): Promise<RecordedDelivery[]> {
    const { duplicates = 1, shuffle = false, signWith, subscriptionId } = demand('deliverTo', options, OPTIONS);
    const taken = this.#takenBy(target, events);
    const aim = { target, state, signWith, subscriptionId };
    const attempts = events
      .flatMap((recorded) => attemptsOf(recorded, aim))
      .filter((attempt) => !isTaken(taken.get(attempt.recorded.event.event_id), recipientOf(attempt)));
    const isUnsigned = signWith === undefined && state.subscriptions.size === 0;
    if (isUnsigned && events.some(({ event }) => !taken.get(event.event_id)?.size)) throw noSubscription();

    for (const { recorded, ...attempt } of attempts) {
      const { event_id } = recorded.event;
      taken.set(event_id, (taken.get(event_id) ?? new Set()).add(recipientOf(attempt)));
    }
    const all = attempts.flatMap((attempt) =>
      Array.from({ length: duplicates }, (_, index) => ({ ...attempt, number: index + 1 })),
    );
    if (shuffle) shuffleInPlace(all, this.#random);

    const results: RecordedDelivery[] = [];
    for (const attempt of all) results.push(await deliveries.send(attempt));
    const delivered = new Set(results.filter((one) => one.delivered).map(nameOf));
    for (const attempt of attempts) {
      const { event_id: eventId } = attempt.recorded.event;
      const subscriptionId = attempt.subscription?.subscription.id ?? null;
      if (!delivered.has(nameOf({ eventId, subscriptionId }))) taken.get(eventId)?.delete(recipientOf(attempt));
    }
    return results;
  }

  #takenBy(target: DeliveryTarget, events: readonly RecordedEvent[]): Map<string, Set<string>> {
    const known = this.#taken.get(target) ?? new Map<string, Set<string>>();
    // What the service has forgotten is delivered no more.
    const ids = new Set(events.map(({ event }) => event.event_id));
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    this.#taken.set(target, known);
    return known;
  }
}

const recipientOf = ({ subscription }: Pick<Attempt, 'subscription'>): string =>
  subscription?.subscription.id ?? OWN_SECRET;

/** A secret of one's own stands for every subscription, and every subscription for it. */
function isTaken(by: Set<string> | undefined, recipient: string): boolean {
  if (by === undefined || by.size === 0) return false;
  return recipient === OWN_SECRET || by.has(recipient) || by.has(OWN_SECRET);
}

const nameOf = ({ eventId, subscriptionId }: Pick<RecordedDelivery, 'eventId' | 'subscriptionId'>): string =>
  `${eventId} ${subscriptionId}`;

interface Aim {
  readonly target: DeliveryTarget;
  readonly state: ServiceState;
  readonly signWith: string | undefined;
  readonly subscriptionId: string | undefined;
}

function attemptsOf(recorded: RecordedEvent, { target, state, signWith, subscriptionId }: Aim): Attempt[] {
  if (signWith !== undefined) {
    const url = typeof target === 'function' ? 'https://webhooks.invalid/' : String(target);
    return [{ recorded, subscription: undefined, target, url, secret: signWith, number: 1 }];
  }
  return subscribersOf(state, recorded)
    .filter(({ subscription }) => subscriptionId === undefined || subscription.id === subscriptionId)
    .map((subscription) => ({
      recorded,
      subscription,
      target,
      url: subscription.subscription.url,
      secret: subscription.signingSecret,
      number: 1,
    }));
}

function shuffleInPlace(list: unknown[], random: Random): void {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}

const noSubscription = (): Error =>
  new Error(
    'deliverTo has no secret to sign with: there is no subscription. Create one first (POST /webhooks), or pass { signWith: secret }.',
  );
