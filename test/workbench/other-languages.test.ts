import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createMockService } from 'online-ordering-sdk/mock';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { expect, onTestFinished, test } from 'vitest';

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.log('No python3: the example in Python is left out. Install it (apt-get install python3).');

test.skipIf(!hasPython)(
  'A Python script orders, survives a fault, pays once, and is told by signed webhooks',
  async () => {
    const service = createMockService();
    onTestFinished(() => service.close());
    const { url } = await service.listen({ workbench: true });

    const script = ['examples/other-languages/order.py', new URL(url).origin];
    const { stdout, stderr } = await promisify(execFile)('python3', script);

    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'paid with 2 attempts, charged 1 times',
      expect.stringMatching(/^told by \d+ signed webhooks, ready for pickup: True$/),
    ]);
  },
);

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.log('No curl: the example in a shell is left out. Install it (apt-get install curl).');

test.skipIf(!hasCurl)(
  'A shell orders with curl, is charged once though a response was lost, and has signed webhooks delivered',
  async () => {
    const service = createMockService();
    onTestFinished(() => service.close());
    const { url } = await service.listen({ workbench: true });
    const receiver = createWebhookReceiver({ secrets: 'whsec_test' });
    const taken: string[] = [];
    receiver.onAny(({ event_type }) => void taken.push(event_type));
    const server = createServer(receiver.nodeHandler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const hooks = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

    const script = ['examples/other-languages/order.sh', new URL(url).origin, hooks, 'whsec_test'];
    const { stdout } = await promisify(execFile)('sh', script);

    const [order] = service.orders();
    const cents = order!.total.amount;
    expect(stdout.trim().split('\n')).toEqual([
      `charged 1 times, ${cents} of ${cents} cents`,
      `told by ${taken.length} signed webhooks`,
    ]);
    expect(taken).toEqual(['order.created', 'order.status_changed']);
    expect(service.requests().filter(({ route }) => route === '/orders/{order_id}/payments')).toHaveLength(2);
  },
);
