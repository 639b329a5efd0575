import { newUuid } from '../platform/uuid.js';

/** Address and credentials of a partner. */
export interface WireCredentials {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a request is made of, beside method and path. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** `Idempotency-Key`: a fresh one for each write unless given; `null` sends none. */
  readonly key?: string | null;
  /** Bearer token: that of the wire unless given; `null` sends no authorization. */
  readonly token?: string | null;
}

/** A response as it came, or why none came. */
export interface WireResponse {
  /** 0 when no response came. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; `undefined` when there is none. */
  readonly data: unknown;
  readonly text: string;
  readonly ms: number;
  /** What went wrong when no response came. */
  readonly failure: string | undefined;
}

export interface WireOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for one request. @defaultValue 30000 */
  readonly timeoutMs?: number | undefined;
  /** Waits before a request is sent again after a 429. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
}

/** A request as it goes out. */
export interface Written {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const PERSONAL = /"(customer_id|access_token|signing_secret|client_secret|gift_card_number)":\s*"[^"]*"?/g;
const MOST_TRIES = 4;
const LONGEST_WAIT_SECONDS = 120;

/**
 * Requests and responses as they travel: nothing is translated, checked or decided on. A 429 alone is sent again, after
 * what `Retry-After` says.
 */
export class Wire {
  readonly credentials: WireCredentials;
  /** The token that requests carry: the one granted last. */
  token: string | undefined;
  /** Every token that was granted. */
  readonly granted = new Set<string>();
  /** Every request so far, for a report: no token, no body. */
  readonly log: { readonly request: string; readonly status: number; readonly requestId: string | null }[] = [];
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number;
  readonly #wait: (ms: number) => Promise<void>;

  constructor(credentials: WireCredentials, options: WireOptions = {}) {
    this.credentials = credentials;
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#wait = options.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  }

  /** From now on requests carry this token. */
  useToken(token: string): void {
    this.token = token;
    this.granted.add(token);
  }

  /** Sends one request; a 429 is waited for. @param endpoint - `POST /carts/{cart_id}/items`. */
  send(endpoint: string, sent: Sent = {}): Promise<WireResponse> {
    const [method = '', template = ''] = endpoint.split(' ');
    const url = new URL(this.credentials.baseUrl + pathOf(template, sent.params));
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, String(value));
    return this.relay(endpoint, url, { method, headers: this.#headers(method, sent), body: textOf(sent.body) });
  }

  /** Sends a request that somebody else wrote; a 429 is waited for. @param endpoint - its name in the log. */
  async relay(endpoint: string, url: URL, written: Written): Promise<WireResponse> {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#once(endpoint, url, written);
      const seconds = Number(response.headers['retry-after']);
      if (response.status !== 429 || tries === MOST_TRIES || !(seconds <= LONGEST_WAIT_SECONDS)) return response;
      await this.#wait((seconds + 1) * 1000);
    }
  }

  /** Asks for a token; the response is the caller's to judge. */
  askForToken(changes: Readonly<Record<string, unknown>> = {}): Promise<WireResponse> {
    const { clientId, clientSecret } = this.credentials;
    const body = { grant_type: 'CLIENT_CREDENTIALS', client_id: clientId, client_secret: clientSecret, ...changes };
    return this.send('POST /auth/token', { body, key: null, token: null });
  }

  /** A text for a report: without credentials, tokens, and what names a customer. */
  withoutSecrets(text: string): string {
    const { clientId, clientSecret } = this.credentials;
    return [clientId, clientSecret, ...this.granted]
      .reduce((clean, secret) => clean.replaceAll(secret, '…'), text)
      .replace(PERSONAL, '"$1":"…"')
      .replace(/\b(whsec|tok|tk)_\w+/g, '…');
  }

  async #once(endpoint: string, url: URL, written: Written): Promise<WireResponse> {
    const started = performance.now();
    const response = await this.#exchange(url, written);
    const ms = Math.round(performance.now() - started);
    this.log.push({ request: endpoint, status: response.status, requestId: requestIdOf(response) });
    return { ...response, ms };
  }

  async #exchange(url: URL, init: Written): Promise<Omit<WireResponse, 'ms'>> {
    try {
      const { body, ...rest } = init;
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const received = await this.#fetch(url, { ...rest, ...(body && { body }), redirect: 'manual', signal });
      const text = await received.text();
      const headers = Object.fromEntries(received.headers);
      return { status: received.status, headers, text, data: parsed(text), failure: undefined };
    } catch (error) {
      return { status: 0, headers: {}, text: '', data: undefined, failure: failureOf(error) };
    }
  }

  #headers(method: string, sent: Sent): Record<string, string> {
    const token = sent.token === undefined ? this.token : sent.token;
    const key = sent.key === undefined && method !== 'GET' ? newUuid() : sent.key;
    return {
      accept: 'application/json',
      ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    };
  }
}

/** Headers under which services send the id of a request (gap ERR-2). */
export const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id'] as const;

/** The service's id of a request, from its error or its headers. */
export function requestIdOf({ data, headers }: Pick<WireResponse, 'data' | 'headers'>): string | null {
  const { error } = (isObject(data) ? data : {}) as { error?: { request_id?: unknown } };
  if (typeof error?.request_id === 'string') return error.request_id;
  const name = REQUEST_ID_HEADERS.find((header) => headers[header] !== undefined);
  return name === undefined ? null : headers[name]!;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body));

function pathOf(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a network failure, or its message. */
function failureOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown; message?: unknown } } | undefined)?.cause;
  if (typeof cause?.code === 'string') return cause.code;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'TIMEOUT';
  return String(cause?.message ?? (error instanceof Error ? error.message : error));
}
