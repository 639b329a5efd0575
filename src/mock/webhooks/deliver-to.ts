import type { Random } from '../../platform/random.js';
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

export interface DeliverToParts {
  readonly deliveries: Deliveries;
  readonly events: readonly RecordedEvent[];
  readonly state: ServiceState;
  readonly random: Random;
}

/** Remembers per target what it has been given, so that each call delivers what is new. */
export class Pushes {
  readonly #given = new Map<DeliveryTarget, Set<string>>();

  async deliverTo(
    target: DeliveryTarget,
    { duplicates = 1, shuffle = false, signWith, subscriptionId }: DeliverToOptions,
    { deliveries, events, state, random }: DeliverToParts,
  ): Promise<RecordedDelivery[]> {
    if (!Number.isInteger(duplicates) || duplicates < 1)
      throw new TypeError('"duplicates" counts deliveries, from 1 on.');
    const given = this.#given.get(target) ?? new Set();
    this.#given.set(target, given);
    const fresh = events.filter(({ event }) => !given.has(event.event_id));
    for (const { event } of fresh) given.add(event.event_id);

    const attempts = fresh.flatMap((recorded) => attemptsOf(recorded, { target, state, signWith, subscriptionId }));
    if (fresh.length > 0 && attempts.length === 0 && state.subscriptions.size === 0) throw nobodySubscribed();
    const all = attempts.flatMap((attempt) =>
      Array.from({ length: duplicates }, (_, index) => ({ ...attempt, number: index + 1 })),
    );
    if (shuffle) shuffleInPlace(all, random);

    const results: RecordedDelivery[] = [];
    for (const attempt of all) results.push(await deliveries.send(attempt));
    return results;
  }
}

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

const nobodySubscribed = (): Error =>
  new Error(
    'deliverTo has no secret to sign with: nobody subscribed. Create a subscription first (POST /webhooks), or pass { signWith: secret }.',
  );
