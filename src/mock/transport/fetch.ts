import { unlessAborted } from '../../platform/unless-aborted.js';
import type { Exchange, RawRequest, ResponseOutcome } from '../kernel/exchange.js';
import { connectionClosed, connectionRefused, connectionReset } from './failures.js';

type Begin = (request: RawRequest) => Exchange;

/** A `fetch` that reaches the service and nothing else: every address is taken for the service's. */
export function createFetch(begin: Begin): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const body = await request.text();
    const { pathname, search } = new URL(request.url);
    const exchange = begin({
      method: request.method,
      target: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: body === '' ? undefined : body,
    });
    if (!exchange.connects) throw failed(connectionRefused());
    return unlessAborted(respond(exchange), signal);
  };
}

async function respond(exchange: Exchange): Promise<Response> {
  const outcome = await exchange.run();
  switch (outcome.kind) {
    case 'reset':
      throw failed(connectionReset());
    case 'close':
      throw failed(connectionClosed());
    case 'stall':
      return new Promise(() => {});
    default:
      return new Response(bodyOf(outcome), { status: outcome.status, headers: outcome.headers });
  }
}

const failed = (cause: Error): TypeError => new TypeError('fetch failed', { cause });

function bodyOf({ status, body, flow }: ResponseOutcome): ReadableStream | string | null {
  if (body === undefined || status === 204) return null;
  if (flow === 'whole') return body;
  const bytes = new TextEncoder().encode(body);
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  if (flow === 'stall') return new ReadableStream({ start: () => {} });
  if (flow === 'drip') return dripping(bytes);
  return new ReadableStream({
    start: (controller) => controller.enqueue(half),
    pull: (controller) => controller.error(connectionClosed()),
  });
}

/** One byte every 20 ms of real time; the last ones never come. */
function dripping(bytes: Uint8Array): ReadableStream {
  let sent = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        if (sent < bytes.length - 2) controller.enqueue(bytes.subarray(sent, ++sent));
      }, 20);
      timer.unref();
    },
    cancel: () => clearInterval(timer),
  });
}
