import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseCommand } from '../../../../src/mock/command/arguments.js';
import { deliveryLine } from '../../../../src/mock/command/texts.js';
import { eventually } from '../../../support/eventually.js';
import type { Json } from '../open-service.js';
import { run } from './running.js';

/** A target of `--forward-to` that is no good receiver, and the paths and headers that it was asked for. */
async function target(respond: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    request.resume();
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { asked, connections, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The command with `--forward-to`; `emit` is an event, `deliveries` what was told of them. */
async function forwarding(to: string) {
  const running = await run('--forward-to', to);
  const emit = () =>
    fetch(`${running.started.workbenchUrl}webhook-events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"order.created","data":{}}',
    });
  const deliveries = (): Json[] => running.said().filter(({ type }) => type === 'delivery');
  return { ...running, emit, deliveries };
}

test.each(['', '/', '/hooks', '/hooks/', '/hooks?key=1', '/a/b?next=/c/'])(
  '--forward-to delivers to the address as it was written: path %j',
  async (path) => {
    const { asked, origin } = await target((response) => response.writeHead(200).end());
    const { emit } = await forwarding(origin + path);

    await emit();

    await eventually(() => expect(asked).toEqual([path || '/']));
  },
);

test('a target that never responds does not keep the command alive, and nothing is delivered after its end', async () => {
  const { asked, connections, origin } = await target(() => {});
  const { emit, end, said, deliveries } = await forwarding(origin);
  await emit();
  await emit();
  await eventually(() => expect(asked).toHaveLength(1));

  await end();

  await eventually(async () => expect(await connections()).toBe(0));
  expect(asked).toHaveLength(1);
  expect(deliveries()).toEqual([]);
  expect(said().at(-1).type).toBe('stopped');
});

test.each([
  ['redirects', 302, { location: 'http://127.0.0.1:1/login?token=tok' }, 'redirects are not followed'],
  ['gives a page', 200, { 'content-type': 'text/html; charset=utf-8' }, 'a web page'],
  ['does not know the path', 404, { 'content-type': 'text/html' }, 'a web page'],
] as const)('a target that %s is told as what it is', async (_, status, headers, words) => {
  const { origin } = await target((response) => response.writeHead(status, headers).end('<!doctype html>'));
  const { emit, deliveries } = await forwarding(origin);

  await emit();

  await eventually(() => expect(deliveries()).toHaveLength(1));
  const [delivery] = deliveries();
  expect(delivery).toMatchObject({ status, delivered: status === 200, hint: expect.stringContaining(words) });
  expect(deliveryLine(delivery)).toContain(`${status}  webhook order.created`);
  expect(deliveryLine(delivery)).toContain(words);
  expect(JSON.stringify(delivery)).not.toContain('tok');
});

test('a target that refuses connections is told as one where nothing listens', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const { emit, deliveries } = await forwarding(`http://127.0.0.1:${port}`);

  await emit();

  await eventually(() => expect(deliveries()).toHaveLength(1));
  expect(deliveryLine(deliveries()[0])).toContain('ECONNREFUSED: nothing listens there');
});

test.each(['mock --forward-to', 'hooks send order.created --to'])(
  '%s refuses an address with a user name, which no request can carry, and does not repeat it',
  (words) => {
    const parsed = parseCommand([...words.split(' '), 'http://user:s3cret@127.0.0.1:3000/']);

    expect(parsed).toEqual({ problem: expect.stringContaining('without a user name') });
    expect(JSON.stringify(parsed)).not.toContain('s3cret');
  },
);
