import { describe, expect, test } from 'vitest';
import { memoryInbox } from '../../../../src/webhooks/inbox/memory.js';
import { ConfigurationError, createWebhookReceiver, type Inbox } from '../../../../src/webhooks/index.js';
import { deliver, orderCreated, SECRET } from '../../../support/records/events.js';
import { settle, VirtualClock } from '../../../support/virtual-clock.js';
import { HOUR, inboxSuite, MINUTE } from './inbox-suite.js';

describe('memoryInbox', () => {
  const clock = new VirtualClock();
  inboxSuite({
    open: async (options) => memoryInbox({ clock, ...options }) as unknown as Inbox<never>,
    pass: () => clock.advance(400),
    stepClock: (ms) => clock.step(ms),
    steps: [-HOUR, -MINUTE, MINUTE, HOUR],
  });
});

const brokenInbox = (write: Inbox['write']): Inbox => ({
  write,
  start: async () => {},
  stop: async () => {},
  deadLetters: async () => [],
  retry: async () => false,
});

test('a delivery that could not be written is not acknowledged', async () => {
  const inbox = brokenInbox(() => Promise.reject(new Error('disk full')));
  const receiver = createWebhookReceiver({ secrets: SECRET, inbox });
  const errors: unknown[] = [];
  receiver.onError((error, { stage, eventId }) => errors.push([String(error), stage, eventId]));

  expect(await deliver(receiver, orderCreated('evt_1'))).toBe('500 failed');
  expect(errors).toEqual([['Error: disk full', 'inbox', 'evt_1']]);
});

test('an inbox that does not respond holds a delivery for 3 seconds', async () => {
  const clock = new VirtualClock();
  const inbox = brokenInbox(() => new Promise(() => {}));
  const receiver = createWebhookReceiver({ secrets: SECRET, inbox, clock, logger: { error() {} } });

  const delivery = deliver(receiver, orderCreated('evt_1'));
  await settle();
  await clock.advance(3_000);

  expect(await delivery).toBe('500 failed');
});

test('respond and startWorkers are refused where they make no sense', async () => {
  const inbox = memoryInbox();

  expect(() => createWebhookReceiver({ secrets: SECRET, inbox, respond: 'before_handlers' })).toThrow(
    ConfigurationError,
  );
  await expect(createWebhookReceiver({ secrets: SECRET }).startWorkers()).rejects.toThrow('createWebhookReceiver({');
});
