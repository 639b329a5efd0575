import { expect, vi } from 'vitest';
import type { Subscription } from '../support/records.js';
import { expectStatus } from '../support/shapes.js';
import { type ControlledTarget, type MockOptions, needs, openMock } from '../support/target.js';
import { type Delivery, openReceiver, type Receiver } from './receiver.js';

export const needsEvents = needs('a receiver that the service can reach');
export const HOOK = 'https://hooks.example.com/events';

export interface Listening extends ControlledTarget {
  readonly receiver: Receiver;
  readonly subscription: Subscription;
  /** Waits until an event with these data was delivered. */
  change(data: Record<string, unknown>): Promise<void>;
  /** The deliveries of a type, once there are `count` of them. */
  deliveries(type: string, count?: number): Promise<Delivery[]>;
}

/** A mock whose deliveries go to a receiver on the loopback interface. */
export async function listening(first: MockOptions | string, ...more: string[]): Promise<Listening> {
  const controlled = openMock(typeof first === 'string' ? {} : first);
  const types = typeof first === 'string' ? [first, ...more] : more;
  const receiver = await openReceiver();
  await controlled.mock.webhooks.route('https://hooks.example.com', receiver.url);
  const answer = await controlled.target.post<Subscription>('/webhooks', { url: HOOK, event_types: types });
  expectStatus(answer, 201);
  const ofType = (type: string): Delivery[] => receiver.deliveries.filter(({ event }) => event.event_type === type);
  return {
    ...controlled,
    receiver,
    subscription: answer.body,
    change: (data) =>
      vi.waitFor(
        () => expect(receiver.deliveries.map(({ event }) => event.data)).toContainEqual(expect.objectContaining(data)),
        { timeout: 5_000, interval: 10 },
      ),
    deliveries: (type, count = 1) =>
      vi.waitFor(
        () => {
          expect(ofType(type).length).toBeGreaterThanOrEqual(count);
          return ofType(type);
        },
        { timeout: 5_000, interval: 10 },
      ),
  };
}

/** Lets deliveries that should not happen happen. */
export const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
