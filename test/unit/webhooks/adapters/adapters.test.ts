import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
// @ts-expect-error the alias of Express 4 has no types
import express4 from 'express4';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, test } from 'vitest';
import { createWebhookReceiver, signPayload, type WebhookReceiver } from '../../../../src/webhooks/index.js';
import { orderCreated, SECRET } from '../../../support/records/events.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function newReceiver(options: { maxBodyBytes?: number } = {}) {
  const handled: string[] = [];
  const receiver = createWebhookReceiver({ secrets: SECRET, logger: { error() {} }, ...options });
  receiver.onAny((event) => handled.push(event.event_id));
  return { receiver, handled };
}

async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

/** Starts a server of one kind; `touched` puts a JSON parser before the receiver, as partners do by mistake. */
const servers: Record<string, (receiver: WebhookReceiver, touched: boolean) => Promise<string>> = {
  'node:http': (receiver, touched) =>
    listen(async (request, response) => {
      if (touched) for await (const chunk of request) Object.assign(request, { body: JSON.parse(String(chunk)) });
      await receiver.nodeHandler(request, response);
    }),
  'Express 5': (receiver, touched) => {
    const app = express();
    if (touched) app.use(express.json());
    app.post('/webhooks', receiver.express);
    app.get('/webhooks', receiver.express);
    return listen(app);
  },
  'Express 4': (receiver, touched) => {
    const app = (express4 as () => Express)();
    if (touched) app.use((express4 as typeof express).json());
    app.post('/webhooks', receiver.express);
    app.get('/webhooks', receiver.express);
    return listen(app);
  },
  'Fastify 5': async (receiver, touched) => {
    const app = Fastify();
    if (touched) {
      app.addHook('preHandler', async (request) => {
        request.body = JSON.parse(String(request.body));
      });
    }
    app.post('/other', async (request) => ({ parsed: request.body }));
    await app.register(receiver.fastify, { url: '/webhooks' });
    closers.push(() => app.close());
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/webhooks`;
  },
  Hono: (receiver, touched) => {
    const app = new Hono();
    if (touched) {
      app.use(async (c, next) => {
        await c.req.raw.json();
        await next();
      });
    }
    app.all('/webhooks', (c) => receiver.fetch(c.req.raw));
    return listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = request.method === 'GET' ? undefined : Buffer.concat(chunks);
      const headers = new Headers(request.headers as Record<string, string>);
      const answer = await app.fetch(
        new Request('http://127.0.0.1/webhooks', { method: request.method, headers, body }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
  },
};

describe.each(Object.entries(servers))('%s', (name, start) => {
  const body = JSON.stringify(orderCreated('evt_1', { note: 'Jalapeño 🌮' }));
  const post = (url: string, text: string | Buffer, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } });

  test('a signed delivery is handled and gets 200', async () => {
    const { receiver, handled } = newReceiver();
    const url = await start(receiver, false);

    const response = await post(url, body, signPayload(body, SECRET));

    expect([response.status, await response.json()]).toEqual([200, { outcome: 'handled' }]);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(handled).toEqual(['evt_1']);
  });

  test.each([
    'application/json; charset=utf-8',
    'text/plain',
    'application/octet-stream',
    'application/cloudevents+json',
  ])('the content type %s makes no difference', async (contentType) => {
    const { receiver } = newReceiver();
    const url = await start(receiver, false);

    expect((await post(url, body, { ...signPayload(body, SECRET), 'content-type': contentType })).status).toBe(200);
  });

  test('a delivery without content type, sent in chunks, is handled', async () => {
    const { receiver, handled } = newReceiver();
    const url = await start(receiver, false);

    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers: signPayload(body, SECRET) }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      for (const part of body.match(/.{1,50}/gsu) ?? []) request.write(part);
      request.end();
    });

    expect(status).toBe(200);
    expect(handled).toEqual(['evt_1']);
  });

  test('a stranger’s delivery gets 401', async () => {
    const { receiver, handled } = newReceiver();
    const url = await start(receiver, false);

    expect((await post(url, body, signPayload(body, 'whsec_stranger'))).status).toBe(401);
    expect((await post(url, body, {})).status).toBe(401);
    expect(handled).toEqual([]);
  });

  test('a body that a parser has touched is refused with a message that says what to change', async () => {
    const { receiver, handled } = newReceiver();
    const refusals: unknown[] = [];
    receiver.onError((error) => refusals.push(error));
    const url = await start(receiver, true);

    const response = await post(url, body, signPayload(body, SECRET));

    expect(response.status).toBe(500);
    const { reason, message } = (await response.json()) as { reason: string; message: string };
    expect(reason).toBe('body_parsed');
    expect(message).toMatch(
      name === 'Hono'
        ? /receiver\.fetch\(c\.req\.raw\)/
        : name === 'Fastify 5'
          ? /Fastify: register receiver\.fastify/
          : /before app\.use\(express\.json\(\)\)/,
    );
    expect(refusals).toMatchObject([{ reason: 'body_parsed' }]);
    expect(handled).toEqual([]);
  });

  test('a body of 10 MB gets 413', async () => {
    const { receiver } = newReceiver();
    const url = await start(receiver, false);
    const large = Buffer.alloc(10_000_000, 'x');

    const refusals: unknown[] = [];
    receiver.onError((error) => refusals.push(error));

    expect((await post(url, large, signPayload(large, SECRET))).status).toBe(413);
    expect(refusals).toMatchObject([{ reason: 'body_too_large' }]);
  });

  test('an empty request without content type is an unsigned delivery', async () => {
    const { receiver } = newReceiver();
    const refusals: unknown[] = [];
    receiver.onError((error) => refusals.push(error));
    const url = await start(receiver, false);

    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    expect(refusals).toMatchObject([{ reason: 'no_signature' }]);
  });

  test('a body of exactly the limit is read, one byte more is not', async () => {
    const { receiver } = newReceiver({ maxBodyBytes: Buffer.byteLength(body) });
    const url = await start(receiver, false);

    expect((await post(url, body, signPayload(body, SECRET))).status).toBe(200);
    expect((await post(url, `${body} `, signPayload(`${body} `, SECRET))).status).toBe(413);
  });

  test('a handler that fails is answered 500', async () => {
    const { receiver } = newReceiver();
    receiver.on('order.created', () => {
      throw new Error('database down');
    });
    const url = await start(receiver, false);

    const response = await post(url, body, signPayload(body, SECRET));

    expect([response.status, await response.json()]).toEqual([500, { outcome: 'failed' }]);
  });

  test('a GET is no delivery', async () => {
    const { receiver } = newReceiver();

    const response = await fetch(await start(receiver, false));

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

test.each([
  ['express.raw', express.raw({ type: '*/*' })],
  ['express.text', express.text({ type: '*/*' })],
  [
    'express.json with a rawBody kept by its verify option',
    express.json({
      verify: (request, _response, raw) => {
        (request as unknown as { rawBody: Buffer }).rawBody = raw;
      },
    }),
  ],
])('Express behind %s verifies the raw body that it left', async (_parser, parser) => {
  const { receiver } = newReceiver();
  const app = express();
  app.post('/webhooks', parser, receiver.express);
  const url = await listen(app);
  const body = JSON.stringify(orderCreated('evt_1'));

  const headers = { 'content-type': 'application/json', ...signPayload(body, SECRET) };
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
});

test('a stream that gives text in place of bytes is refused with the advice', async () => {
  const { receiver } = newReceiver();
  const url = await listen((request, response) => {
    request.setEncoding('utf8');
    return receiver.nodeHandler(request, response);
  });
  const body = JSON.stringify(orderCreated('evt_1'));

  const response = await fetch(url, { method: 'POST', body, headers: signPayload(body, SECRET) });

  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({
    reason: 'body_parsed',
    message: expect.stringContaining('setEncoding'),
  });
});

test('the Fastify plugin leaves the parsers of other routes alone', async () => {
  const { receiver } = newReceiver();
  const url = await servers['Fastify 5']!(receiver, false);

  const response = await fetch(url.replace('/webhooks', '/other'), {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  });

  expect(await response.json()).toEqual({ parsed: { a: 1 } });
});

test('on Workers, what runs after the response is handed to waitUntil', async () => {
  const receiver = createWebhookReceiver({ secrets: SECRET, respond: 'before_handlers' });
  let handled = false;
  receiver.on('order.created', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    handled = true;
  });
  const work: Promise<unknown>[] = [];
  const body = JSON.stringify(orderCreated('evt_1'));
  const request = new Request('https://hooks.example.com/', {
    method: 'POST',
    body,
    headers: signPayload(body, SECRET),
  });

  const response = await receiver.fetch(request, { waitUntil: (promise) => work.push(promise) });

  expect([response.status, handled]).toEqual([200, false]);
  await Promise.all(work);
  expect(handled).toBe(true);
});
