import { randomUUID } from 'node:crypto';
import { createMockService } from 'online-ordering-sdk/mock';
import { onTestFinished, test } from 'vitest';
import { isLive, leavingOut, liveCredentials, liveFetch } from './live.js';

export { isLive };

/** The mock with its controls. */
export type MockService = ReturnType<typeof createMockService>;
export type MockOptions = NonNullable<Parameters<typeof createMockService>[0]>;

export interface Credentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a test puts into a request. */
export interface Sent {
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string;
  /** `Idempotency-Key`: fresh for each write unless given; `null` sends none. */
  readonly key?: string | null;
  /** Bearer token: that of the target's partner unless given; `null` sends no authorization. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
}

/** What the service answered. The shape of `body` is what the caller goes on to check. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  readonly text: string;
}

interface Grant {
  readonly access_token: string;
}

/** The service under test as one partner sees it: requests with token and key, nothing of the SDK. */
export class Target {
  readonly credentials: Credentials;
  readonly #fetch: typeof globalThis.fetch;
  #token: Promise<string> | undefined;

  constructor(credentials: Credentials, fetch: typeof globalThis.fetch) {
    this.credentials = credentials;
    this.#fetch = fetch;
  }

  get<T>(path: string, sent: Sent = {}): Promise<Answer<T>> {
    return this.send('GET', path, { key: null, ...sent });
  }

  post<T>(path: string, body?: unknown, sent: Sent = {}): Promise<Answer<T>> {
    return this.send('POST', path, { body, ...sent });
  }

  put<T>(path: string, body?: unknown, sent: Sent = {}): Promise<Answer<T>> {
    return this.send('PUT', path, { body, ...sent });
  }

  patch<T>(path: string, body?: unknown, sent: Sent = {}): Promise<Answer<T>> {
    return this.send('PATCH', path, { body, ...sent });
  }

  delete<T>(path: string, sent: Sent = {}): Promise<Answer<T>> {
    return this.send('DELETE', path, sent);
  }

  async send<T>(method: string, path: string, sent: Sent = {}): Promise<Answer<T>> {
    const headers = new Headers();
    const token = sent.token === undefined ? await this.token() : sent.token;
    const body = sent.rawBody ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const key = sent.key === undefined ? randomUUID() : sent.key;
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (key !== null) headers.set('idempotency-key', key);
    for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);

    const url = new URL(`${this.credentials.baseUrl}${path}`);
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, String(value));
    const response = await this.#fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) as T, text };
  }

  /** The token of this partner: asked for once, and again after `forgetToken`. */
  token(): Promise<string> {
    this.#token ??= this.requestToken().then((grant) => grant.body.access_token);
    return this.#token;
  }

  forgetToken(): void {
    this.#token = undefined;
  }

  requestToken<T = Grant>(changes: Record<string, unknown> = {}): Promise<Answer<T>> {
    const body = {
      grant_type: 'CLIENT_CREDENTIALS',
      client_id: this.credentials.clientId,
      client_secret: this.credentials.clientSecret,
      ...changes,
    };
    return this.send('POST', '/auth/token', { body, key: null, token: null });
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// One token for all tests of a file: a token per test would run into the service's limit (Authentication 4).
let live: Target | undefined;

/** The service under test: a fresh mock for each call, or the real service. */
export function openTarget(): Target {
  if (!isLive) return openMock().target;
  const credentials = liveCredentials();
  if (live?.credentials !== credentials) live = new Target(credentials, liveFetch);
  return live;
}

export interface ControlledTarget {
  readonly target: Target;
  readonly mock: MockService;
  /** Moves the service's clock, and drops a token that the move may have ended. */
  advance(duration: string | number): Promise<void>;
}

/** A fresh mock with its controls, for rows that a partner cannot bring about from outside. */
export function openMock(options: MockOptions = {}): ControlledTarget {
  const mock = createMockService({ seed: 7, ...options });
  const target = new Target(mock.credentials, mock.fetch);
  onTestFinished(() => mock.close());
  return {
    target,
    mock,
    async advance(duration) {
      await mock.clock.advance(duration);
      target.forgetToken();
    },
  };
}

/** Tests that need something no partner can do to a real service: they run on the mock, and are skipped elsewhere. */
export const needs = (control: string): typeof test => (isLive ? leavingOut(control) : test);
