/**
 * Who is compared, each with the same five calls: `get` an order, `post` a cart, read the `menu`, walk the `pages` of
 * 2,000 orders, and `close`. Where a peer has no such call, it is left out.
 */
/** The build, as partners run it: loaders for TypeScript add a call to every function that is made at run time. */
const built = new URL('../../dist/index.js', import.meta.url).href;

const CREDENTIALS = { clientId: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11', clientSecret: 'secret' };

/** Collects a body in a dispatch handler: what is possible at the least over undici. */
class Collect {
  constructor(resolve, reject) {
    this.resolve = resolve;
    this.reject = reject;
    this.chunks = [];
  }
  onRequestStart() {}
  onResponseStart() {}
  onResponseData(_controller, chunk) {
    this.chunks.push(chunk);
  }
  onResponseEnd() {
    const { chunks } = this;
    this.resolve(JSON.parse((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString('utf8')));
  }
  onResponseError(_controller, error) {
    this.reject(error);
  }
}

/** The five calls over anything that sends one request and gives back its JSON. */
function byHand(send, { orderId, locationId }, close) {
  return {
    get: () => send('GET', `/orders/${orderId}`),
    post: () => send('POST', '/carts', JSON.stringify({ location_id: locationId })),
    menu: () => send('GET', `/locations/${locationId}/menu`),
    async pages() {
      let cursor = '';
      let count = 0;
      do {
        const { data, pagination } = await send('GET', `/orders?limit=100${cursor && `&cursor=${cursor}`}`);
        count += data.length;
        cursor = pagination.next_cursor;
      } while (cursor);
      return count;
    },
    close,
  };
}

function headersFor(method) {
  const headers = { accept: 'application/json', authorization: 'Bearer token' };
  // A new key for each write, as the client makes one.
  return method === 'GET'
    ? headers
    : { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
}

// Imported where it is used: a contestant that does without it must not pay for it at its start.
async function bare({ origin, ...ids }) {
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ keepAliveTimeout: 4000 });
  const send = async (method, path, body) => {
    const options = { dispatcher, method, headers: headersFor(method), body };
    const response = await request(`${origin}/v1/online-ordering${path}`, options);
    return JSON.parse(await response.body.text());
  };
  return byHand(send, ids, () => dispatcher.close());
}

async function dispatchHandler({ origin, ...ids }) {
  const { Agent } = await import('undici');
  const dispatcher = new Agent({ keepAliveTimeout: 4000 });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const options = { origin, path: `/v1/online-ordering${path}`, method, headers: headersFor(method), body };
      dispatcher.dispatch(options, new Collect(resolve, reject));
    });
  return byHand(send, ids, () => dispatcher.close());
}

async function globalFetch({ origin, ...ids }) {
  const send = async (method, path, body) => {
    const response = await fetch(`${origin}/v1/online-ordering${path}`, { method, headers: headersFor(method), body });
    return response.json();
  };
  return byHand(send, ids, async () => {});
}

async function thisClient({ origin, orderId, locationId }, options) {
  const { OnlineOrdering } = await import(built);
  const client = new OnlineOrdering({ ...CREDENTIALS, baseUrl: `${origin}/v1/online-ordering`, ...options });
  return {
    get: (options) => client.orders.retrieve(orderId, options),
    post: () => client.carts.create({ location_id: locationId }),
    menu: () => client.menus.retrieve(locationId),
    async pages() {
      let count = 0;
      for await (const _order of client.orders.list({ limit: 100 })) count += 1;
      return count;
    },
    /** As `pages`, where each page takes as long to use as a render or a write does. */
    async usedPages(prefetch) {
      let count = 0;
      for await (const page of client.orders.list({ limit: 100 }, { prefetch }).pages()) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        count += page.data.length;
      }
      return count;
    },
    close: () => client.close(),
  };
}

const stripe = async ({ origin, orderId }) => {
  const { default: Stripe } = await import('stripe');
  const { hostname, port } = new URL(origin);
  const client = new Stripe('sk_test_bench', { host: hostname, port, protocol: 'http', telemetry: false });
  return {
    get: () => client.paymentIntents.retrieve(orderId),
    post: () => client.paymentIntents.create({ amount: 500, currency: 'usd' }),
    menu: () => client.paymentIntents.retrieve('menu'),
    async pages() {
      let count = 0;
      for await (const _order of client.paymentIntents.list({ limit: 100 })) count += 1;
      return count;
    },
    close: async () => {},
  };
};

const openai = async ({ origin, orderId, locationId }) => {
  const { default: OpenAI } = await import('openai');
  const client = new OpenAI({ apiKey: 'sk-bench', baseURL: `${origin}/openai` });
  return {
    get: () => client.get(`/orders/${orderId}`),
    post: () => client.post('/carts', { body: { location_id: locationId } }),
    menu: () => client.get(`/locations/${locationId}/menu`),
    async pages() {
      let count = 0;
      for await (const _order of client.fineTuning.jobs.list({ limit: 100 })) count += 1;
      return count;
    },
    close: async () => {},
  };
};

const square = async ({ origin, orderId, locationId }) => {
  const { SquareClient } = await import('square');
  const client = new SquareClient({ environment: origin, token: 'bench' });
  return {
    get: () => client.orders.get({ orderId }),
    post: () => client.orders.create({ idempotencyKey: crypto.randomUUID(), order: { locationId } }),
    close: async () => {},
  };
};

/** The client over a dispatcher that is given to it. */
export const clientOver = (service, dispatcher) => thisClient(service, { dispatcher });

/** The first one is the floor; its second self is the control of the measurement. */
export const CONTESTANTS = {
  'undici.request': bare,
  'undici.request (control)': bare,
  'undici dispatch': dispatchHandler,
  fetch: globalFetch,
  client: (service) => thisClient(service, {}),
  "client, validation: 'off'": (service) => thisClient(service, { validation: 'off' }),
  stripe,
  openai,
  square,
};

export const FLOOR = 'undici.request';

/** The contestants that can be had here; a peer that is not installed is `undefined`. */
export async function contestant(name, service) {
  try {
    return await CONTESTANTS[name](service);
  } catch (error) {
    if (error?.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
