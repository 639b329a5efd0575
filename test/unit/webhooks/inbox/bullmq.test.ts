import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { afterAll, describe } from 'vitest';
import { bullmqInbox } from '../../../../src/webhooks/inbox/bullmq.js';
import type { Inbox } from '../../../../src/webhooks/index.js';
import { hasRedis, sharedRedis } from '../../../support/engines/index.js';
import { inboxSuite } from './inbox-suite.js';

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
        ...options,
      });
      return inbox as unknown as Inbox<never>;
    },
    pass: () => new Promise((resolve) => setTimeout(resolve, 50)),
  });
});
