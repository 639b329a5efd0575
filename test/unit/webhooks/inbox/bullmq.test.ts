import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { afterAll, describe, expect, test } from 'vitest';
import { bullmqInbox } from '../../../../src/webhooks/inbox/bullmq.js';
import { createWebhookReceiver, type Inbox } from '../../../../src/webhooks/index.js';
import { hasRedis, sharedRedis } from '../../../support/engines/index.js';
import { deliver, later, orderCreated, SECRET, statusChanged } from '../../../support/records/events.js';
import { inboxSuite } from './inbox-suite.js';
import { stepWallClock } from './step-wall-clock.js';

describe.skipIf(!hasRedis)('bullmqInbox over a real Redis', () => {
  const queues: Queue[] = [];
  afterAll(async () => {
    for (const queue of queues) await queue.close();
  });

  inboxSuite({
    open: async (options) => {
      const { hostname: host, port } = new URL(await sharedRedis());
      const connection = { host, port: Number(port), maxRetriesPerRequest: null };
      const queue = new Queue(`inbox-${randomUUID()}`, { connection });
      queues.push(queue);
      const inbox = bullmqInbox({
        queue,
        createWorker: (process, options) => new Worker(queue.name, process, { ...options, connection, concurrency: 4 }),
        lookAgainMs: 250,
        ...options,
      });
      return inbox as unknown as Inbox<never>;
    },
    pass: () => new Promise((resolve) => setTimeout(resolve, 50)),
    stepClock: stepWallClock,
  });

  test('an event that kills its process each time becomes a dead letter, and those behind it go on', async () => {
    const { hostname: host, port } = new URL(await sharedRedis());
    const connection = { host, port: Number(port), maxRetriesPerRequest: null };
    const queue = new Queue(`inbox-${randomUUID()}`, { connection });
    queues.push(queue);
    let die = () => {};
    const inbox = bullmqInbox({
      queue,
      attempts: 2,
      createWorker: (process, options) => {
        const worker = new Worker(queue.name, process, {
          ...{ ...options, connection, lockDuration: 400, stalledInterval: 400 },
        });
        worker.on('error', () => {});
        // What is left of a process that dies: its job, and a lock that nobody renews.
        die = () => void worker.close(true);
        return worker;
      },
    });
    const handled: string[] = [];
    let deaths = 0;
    const start = async () => {
      const receiver = createWebhookReceiver({ secrets: SECRET, inbox, leaseMs: 300, logger: { error() {} } });
      receiver.onAny(({ event_id }) => {
        if (event_id !== 'evt_poison') return void handled.push(event_id);
        deaths += 1;
        die();
        void start();
        return new Promise(() => {});
      });
      await receiver.startWorkers();
      return receiver;
    };
    const receiver = await start();
    await deliver(receiver, orderCreated('evt_poison'));
    await deliver(receiver, statusChanged('evt_2', 'PENDING|PENDING|UNPAID', 'CONFIRMED|PENDING|PAID', later(10)));
    const endsAt = performance.now() + 15_000;
    while (handled.length === 0 && performance.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 50));

    expect([deaths, handled]).toEqual([2, ['evt_2']]);
    expect(await inbox.deadLetters()).toMatchObject([{ entry: { id: 'evt_poison' }, attempts: 2 }]);
    await inbox.stop();
  });
});
