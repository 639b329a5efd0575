import { performance } from 'node:perf_hooks';
import type { Fault, TakenFault } from '../faults/faults.js';
import type { Exchange, Outcome, RawRequest, ResponseOutcome } from '../kernel/exchange.js';
import { BASE_PATH } from '../kernel/request.js';
import type { RecordedRequest, RequestLog } from '../kernel/request-log.js';

/** How a request ended: with a response, or with what became of its connection. */
export type Ending = 'response' | 'refused' | 'reset' | 'closed' | 'stalled' | 'under way';

/** A request as a list shows it. */
export interface RequestSummary {
  /** 1, 2, 3, … in the order in which requests came, for as long as the service lives. */
  readonly number: number;
  readonly method: string;
  /** Path below the base path, with the query. */
  readonly path: string;
  readonly route: string | null;
  readonly idempotencyKey: string | null;
  /** Which request this is, from 1 on, with its method, path and key; `null` without a key. */
  readonly attempt: number | null;
  /** ISO 8601, on the service's clock. */
  readonly at: string;
  readonly status: number | null;
  readonly ending: Ending;
  /** Real milliseconds; `null` while it is under way. */
  readonly durationMs: number | null;
  readonly replayed: boolean;
  /** The fault that it met. */
  readonly fault: Fault | null;
}

/** A request with everything that was said. Secrets and tokens are left out. */
export interface RequestDetails extends RequestSummary {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
}

type Recorded = { -readonly [Name in keyof RequestDetails]: RequestDetails[Name] };

export interface RecorderDeps {
  readonly requests: RequestLog;
  readonly now: () => string;
  /** Gets a request when it comes, and again when it is over. */
  readonly onRequest: (request: RequestSummary) => void;
}

/** Requests that are kept; of older ones the service itself remembers more, without bodies. */
const KEPT = 2000;
/** Characters of a body that are kept. */
const LONGEST_BODY = 64_000;

/** Keeps the latest requests with their bodies, from the moment the workbench is opened. */
export class Recorder {
  readonly #deps: RecorderDeps;
  #recorded = new Map<number, Recorded>();
  #attempts = new Map<string, number>();
  #count = 0;
  #taken: TakenFault | undefined;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** Tells of a fault just before the request is watched that met it. */
  meets(taken: TakenFault): void {
    this.#taken = taken;
  }

  watch(raw: RawRequest, exchange: Exchange): Exchange {
    const recorded = this.#record(raw);
    if (!exchange.connects) {
      recorded.ending = 'refused';
      recorded.durationMs = 0;
      this.#deps.onRequest(summaryOf(recorded));
      return exchange;
    }
    return { connects: true, run: () => this.#run(recorded, exchange) };
  }

  list(): RequestSummary[] {
    return [...this.#recorded.values()].map(summaryOf);
  }

  find(number: number): RequestDetails | undefined {
    const recorded = this.#recorded.get(number);
    return recorded && { ...recorded };
  }

  reset(): void {
    this.#recorded = new Map();
    this.#attempts = new Map();
  }

  async #run(recorded: Recorded, exchange: Exchange): Promise<Outcome> {
    const startedAt = performance.now();
    const running = exchange.run();
    // The service's own entry of this request: the latest, because it was made just now.
    const entry: RecordedRequest | undefined = this.#deps.requests.latest();
    recorded.route = entry?.route ?? null;
    this.#deps.onRequest(summaryOf(recorded));
    const outcome = await running;
    recorded.durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    recorded.replayed = entry?.replayed ?? false;
    recorded.ending = ENDINGS[outcome.kind];
    if (outcome.kind === 'response') takeResponse(recorded, outcome);
    this.#deps.onRequest(summaryOf(recorded));
    return outcome;
  }

  #record(raw: RawRequest): Recorded {
    const { authorization, ...headers } = raw.headers;
    const path = raw.target.startsWith(`${BASE_PATH}/`) ? raw.target.slice(BASE_PATH.length) : raw.target;
    const key = headers['idempotency-key'] ?? null;
    const recorded: Recorded = {
      number: ++this.#count,
      method: raw.method.toUpperCase(),
      path,
      route: null,
      idempotencyKey: key,
      attempt: key === null ? null : this.#attemptOf(`${raw.method} ${path} ${key}`),
      at: this.#deps.now(),
      status: null,
      ending: 'under way',
      durationMs: null,
      replayed: false,
      fault: this.#taken?.fault ?? null,
      requestHeaders: authorization === undefined ? headers : { ...headers, authorization: 'Bearer …' },
      requestBody: raw.body === undefined ? null : kept(raw.body),
      responseHeaders: null,
      responseBody: null,
    };
    this.#taken = undefined;
    this.#recorded.set(recorded.number, recorded);
    this.#recorded.delete(recorded.number - KEPT);
    return recorded;
  }

  #attemptOf(name: string): number {
    const attempt = (this.#attempts.get(name) ?? 0) + 1;
    this.#attempts.set(name, attempt);
    if (this.#attempts.size > KEPT * 2) {
      const [oldest] = this.#attempts.keys();
      this.#attempts.delete(oldest!);
    }
    return attempt;
  }
}

const ENDINGS: Readonly<Record<Outcome['kind'], Ending>> = {
  response: 'response',
  reset: 'reset',
  close: 'closed',
  stall: 'stalled',
};

function takeResponse(recorded: Recorded, { status, headers, body }: ResponseOutcome): void {
  recorded.status = status;
  recorded.responseHeaders = headers;
  recorded.responseBody = body === undefined ? null : kept(body);
}

function summaryOf({
  requestHeaders,
  requestBody,
  responseHeaders,
  responseBody,
  ...summary
}: Recorded): RequestSummary {
  return summary;
}

const SECRETS = /("(?:client_secret|access_token|signing_secret|secret)"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/** Shown to whoever looks over a shoulder: no secret, no token, and not without end. */
function kept(body: string): string {
  const clean = body.replace(SECRETS, '$1"…"');
  return clean.length > LONGEST_BODY ? `${clean.slice(0, LONGEST_BODY)}…` : clean;
}
