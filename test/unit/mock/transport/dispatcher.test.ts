import type { MockDispatchController, MockDispatchHandler } from 'online-ordering-sdk/mock';
import { type Dispatcher, request, fetch as undiciFetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { openService } from '../open-service.js';

/** Records every phase, in the style of undici 7 and 8. */
function recorder(more: Partial<MockDispatchHandler> = {}) {
  const phases: string[] = [];
  const chunks: Buffer[] = [];
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const handler: MockDispatchHandler = {
    onRequestStart: () => void phases.push('start'),
    onResponseStart: (_, status) => void phases.push(`head ${status}`),
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd: () => {
      phases.push('end');
      end();
    },
    onResponseError: (_, error) => {
      phases.push(`error ${(error as NodeJS.ErrnoException).code ?? error.message}`);
      end();
    },
    ...more,
  };
  return { handler, phases, over, text: () => Buffer.concat(chunks).toString() };
}

const ORDERS = { path: '/v1/online-ordering/orders', method: 'GET', origin: 'https://online-ordering.test' };

describe('The dispatcher', () => {
  test('serves undici.request', async () => {
    const { service, token } = await openService();

    const answer = await request(`${service.credentials.baseUrl}/locations`, {
      dispatcher: service.dispatcher as unknown as Dispatcher,
      query: { limit: 1 },
      headers: { authorization: `Bearer ${token}` },
    });

    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(await answer.body.json()).toMatchObject({ data: [{ name: 'QuickFuel Congress Avenue' }] });
  });

  test("serves undici's fetch", async () => {
    const { service, token } = await openService();

    const answer = await undiciFetch(`${service.credentials.baseUrl}/carts`, {
      dispatcher: service.dispatcher as unknown as Dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11' },
      body: JSON.stringify({ location_id: service.samples.locations.downtown }),
    });

    expect([answer.status, ((await answer.json()) as { status: string }).status]).toEqual([201, 'ACTIVE']);
  });

  test('passes the phases of a request in their order', async () => {
    const { service } = await openService();
    const { handler, phases, over, text } = recorder();

    service.dispatcher.dispatch(ORDERS, handler);
    await over;

    expect(phases).toEqual(['start', 'head 401', 'end']);
    expect(JSON.parse(text()).error.code).toBe('AUTHENTICATION_ERROR');
  });

  test('speaks the older style of handlers', async () => {
    const { service } = await openService();
    const phases: string[] = [];

    await new Promise<void>((resolve) => {
      service.dispatcher.dispatch(ORDERS, {
        onConnect: () => void phases.push('connect'),
        onHeaders: (status, headers) => {
          phases.push(`${status} ${headers[0]}: ${headers[1]}`);
          return true;
        },
        onData: (chunk) => phases.push(`${chunk.length > 50}`) > 0,
        onComplete: () => {
          phases.push('complete');
          resolve();
        },
      });
    });

    expect(phases).toEqual(['connect', '401 content-type: application/json', 'true', 'complete']);
  });

  test('tells the start of a request before the service has seen it', async () => {
    const { service } = await openService();
    let seenAtStart = -1;
    const { handler, over } = recorder({
      onRequestStart: () => {
        seenAtStart = service.requests().length;
      },
    });
    const before = service.requests().length;

    service.dispatcher.dispatch(ORDERS, handler);
    await over;

    expect([seenAtStart, service.requests().length]).toEqual([before, before + 1]);
  });

  test('lets an abort at the start keep the request from the service', async () => {
    const { service } = await openService();
    const { handler, phases, over } = recorder({ onRequestStart: (controller) => controller.abort(new Error('no')) });
    const before = service.requests().length;

    service.dispatcher.dispatch(ORDERS, handler);
    await over;

    expect(phases).toEqual(['error no']);
    expect(service.requests()).toHaveLength(before);
  });

  test('does not start a request whose connection is refused', async () => {
    const { service } = await openService();
    service.faults.next('GET /orders', { fail: 'connection_refused' });
    const { handler, phases, over } = recorder();

    service.dispatcher.dispatch(ORDERS, handler);
    await over;

    expect(phases).toEqual(['error ECONNREFUSED']);
  });

  test.each([
    [{ fail: 'socket_reset' }, ['start', 'error ECONNRESET']],
    [{ fail: 'socket_close' }, ['start', 'error UND_ERR_SOCKET']],
    [{ status: 500, body: 'truncated' }, ['start', 'head 500', 'error UND_ERR_SOCKET']],
  ] as const)('shows the fault %j as undici shows it', async (fault, expected) => {
    const { service } = await openService();
    service.faults.next('GET /orders', fault);
    const { handler, phases, over } = recorder();

    service.dispatcher.dispatch(ORDERS, handler);
    await over;

    expect(phases).toEqual(expected);
  });

  test('ends a stalled request with the reason of its abort, at once', async () => {
    const { service } = await openService();
    service.faults.next('GET /orders', { fail: 'stall' });
    let controller: MockDispatchController | undefined;
    const { handler, phases, over } = recorder({
      onRequestStart: (given) => {
        controller = given;
      },
    });

    service.dispatcher.dispatch(ORDERS, handler);
    await new Promise((resolve) => setImmediate(resolve));
    controller?.abort(new Error('too late'));
    await over;

    expect(phases).toEqual(['error too late']);
    expect(controller?.reason?.message).toBe('too late');
  });

  test('sends a dripping body byte by byte, and never its end', async () => {
    const { service } = await openService();
    service.faults.next('GET /orders', { status: 500, body: 'drip' });
    let bytes = 0;
    const { handler, phases, over } = recorder({
      onResponseData: (controller, chunk) => {
        bytes += chunk.length;
        if (bytes === 3) controller.abort(new Error('time-out'));
      },
    });

    service.dispatcher.dispatch(ORDERS, handler);
    await over;

    expect([phases, bytes]).toEqual([['start', 'head 500', 'error time-out'], 3]);
  });

  test('holds the body back while the handler has paused it', async () => {
    const { service } = await openService();
    let controller: MockDispatchController | undefined;
    const { handler, phases, over, text } = recorder({
      onResponseStart: (given) => {
        controller = given;
        given.pause();
      },
    });

    service.dispatcher.dispatch(ORDERS, handler);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const whilePaused = [controller?.paused, text(), phases.includes('end')];
    controller?.resume();
    await over;

    expect(whilePaused).toEqual([true, '', false]);
    expect(text()).toContain('AUTHENTICATION_ERROR');
  });

  test('takes bodies as bytes and as streams, and headers as a flat list', async () => {
    const { service, token } = await openService();
    const text = JSON.stringify({ location_id: service.samples.locations.downtown });
    const bodies = [
      Buffer.from(text),
      (async function* () {
        yield text.slice(0, 9);
        yield text.slice(9);
      })(),
    ];
    const keys = ['0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11', '1b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11'];

    for (const [index, body] of bodies.entries()) {
      const { handler, phases, over } = recorder();
      const headers = ['authorization', `Bearer ${token}`, 'Idempotency-Key', keys[index]];
      service.dispatcher.dispatch({ path: '/v1/online-ordering/carts', method: 'POST', headers, body }, handler);
      await over;
      expect(phases).toEqual(['start', 'head 201', 'end']);
    }
  });

  test('responds to nothing once it is destroyed', async () => {
    const { service } = await openService();
    const { handler, phases, over } = recorder();

    await service.dispatcher.destroy();
    service.dispatcher.dispatch(ORDERS, handler);
    await over;

    expect(phases).toEqual(['error UND_ERR_DESTROYED']);
  });
});
