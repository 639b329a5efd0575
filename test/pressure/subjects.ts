import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { OnlineOrdering, type OnlineOrderingOptions } from 'online-ordering-sdk';
import { cardPayment, LOCATION_ID, ORDER_ID } from '../support/records/index.js';
import { silent } from '../support/service/test-service.js';

export interface CallSettings {
  readonly timeout?: number;
  readonly maxRetries?: number;
  readonly signal?: AbortSignal;
}

/** A client under pressure: this package, or one that many know. */
export interface Subject {
  readonly name: string;
  get(settings?: CallSettings): Promise<unknown>;
  /** A read of an order, which some troubles refuse. */
  getOrder(settings?: CallSettings): Promise<unknown>;
  pay(): Promise<unknown>;
  close(): Promise<void>;
}

/** Where a subject sends its requests: a service over sockets, or one in this process, which costs next to nothing. */
export interface Target {
  readonly origin: string;
  readonly dispatcher?: OnlineOrderingOptions['dispatcher'];
  readonly fetch?: typeof globalThis.fetch;
}

export type SubjectMaker = (target: Target, options?: OnlineOrderingOptions) => Subject;

/** Subjects of this package: of these sources, or of another build of it. */
const subjectsOf =
  (name: string, Client: typeof OnlineOrdering): SubjectMaker =>
  ({ origin, dispatcher }, options = {}) => {
    const client = new Client({
      baseUrl: `${origin}/v1/online-ordering`,
      clientId: '11111111-2222-4333-8444-555555555555',
      clientSecret: 'S3cr3t-of-the-partner',
      logger: silent,
      ...(dispatcher ? { dispatcher } : {}),
      ...options,
    });
    return {
      name,
      get: (settings) => client.locations.retrieve(LOCATION_ID, settings),
      getOrder: (settings) => client.orders.retrieve(ORDER_ID, settings),
      pay: () => client.orders.payments.create(ORDER_ID, cardPayment),
      close: () => client.close(),
    };
  };

export const sdk = subjectsOf('online-ordering-sdk', OnlineOrdering);

/** Another build of this package, by the path of its `dist/index.js`: to compare two releases. */
export async function loadBuild(path: string): Promise<SubjectMaker> {
  const module = (await import(pathToFileURL(path).href)) as { OnlineOrdering: typeof OnlineOrdering };
  return subjectsOf('the other build', module.OnlineOrdering);
}

interface OpenAIClient {
  get(path: string, options?: CallSettings): Promise<unknown>;
  post(path: string, options: CallSettings & { body: unknown }): Promise<unknown>;
}

/** openai-node, where `npm ci --prefix bench` has installed it; it has a key of its own in place of a token. */
export async function loadOpenAI(): Promise<SubjectMaker | undefined> {
  const require = createRequire(new URL('../../bench/package.json', import.meta.url));
  let path: string;
  try {
    path = require.resolve('openai');
  } catch {
    return undefined;
  }
  const module = (await import(pathToFileURL(path).href)) as {
    OpenAI: new (options: object) => OpenAIClient;
  };
  return ({ origin, fetch }) => {
    const client = new module.OpenAI({
      baseURL: `${origin}/v1/online-ordering`,
      apiKey: 'key',
      maxRetries: 3,
      logLevel: 'off',
      ...(fetch ? { fetch } : {}),
    });
    return {
      name: 'openai-node',
      get: (settings = {}) => client.get(`/locations/${LOCATION_ID}`, settings),
      getOrder: (settings = {}) => client.get(`/orders/${ORDER_ID}`, settings),
      pay: () => client.post(`/orders/${ORDER_ID}/payments`, { body: cardPayment }),
      close: async () => {},
    };
  };
}
