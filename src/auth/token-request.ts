import { AttemptLog } from '../http/exchange/attempt-log.js';
import type { Call } from '../http/exchange/call.js';
import type { Closing } from '../http/exchange/closing.js';
import { Failure } from '../http/exchange/failure.js';
import type { HttpResponse, Send } from '../http/exchange/message.js';
import { operationOf } from '../http/exchange/operation.js';
import type { Progress } from '../http/exchange/progress.js';
import { type Clock, monotonicNow } from '../platform/clock.js';
import { within } from '../platform/within.js';
import { type AccessToken, readAccessToken } from './access-token.js';

/** A secret, or a function that reads the present one: a rotated secret then needs no restart. */
export type SecretSource = string | (() => string | Promise<string>);

export interface TokenRequestDeps {
  readonly send: Send;
  readonly clock: Clock;
  readonly origin: string;
  readonly basePath: string;
  readonly clientId: string;
  readonly readSecret: () => string | Promise<string>;
  readonly timeout: number;
  readonly maxWait: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Shows the calls that wait for the token what becomes of the request. */
  readonly progress?: Progress | undefined;
  /** The end of the client, which ends waits. */
  readonly closing?: Closing | undefined;
}

const OPERATION = /* @__PURE__ */ operationOf('POST', '/auth/token');

/**
 * Asks for an access token. Rejects with a `Failure` of kind `token`.
 *
 * When the credentials are refused, the secret is read again, and tried once more if it has changed.
 *
 * @see Interface document, "Authentication"
 */
export async function requestToken(deps: TokenRequestDeps): Promise<AccessToken> {
  const secret = await readSecret(deps);
  const first = await ask(deps, secret);
  if (first.status !== 401) return tokenOf(first, deps.clock);

  const again = await readSecret(deps);
  return tokenOf(again === secret ? first : await ask(deps, again), deps.clock);
}

interface TokenResponse extends HttpResponse {
  /** On the monotonic reading. */
  readonly requestedAt: number;
}

async function ask(deps: TokenRequestDeps, secret: string): Promise<TokenResponse> {
  const call = tokenCall(deps, secret);
  const requestedAt = monotonicNow(deps.clock);
  try {
    return { ...(await deps.send(call, call.headers)), requestedAt };
  } catch (error) {
    throw new Failure({ kind: 'token', written: false, response: responseOf(error) }, error);
  }
}

function tokenCall(deps: TokenRequestDeps, secret: string): Call {
  const { origin, basePath, clientId, headers, timeout, maxWait, maxRetries, progress, closing } = deps;
  const deadlineAt = Number.POSITIVE_INFINITY;
  return {
    operation: OPERATION,
    settings: { signal: undefined, deadlineAt, timeout, maxWait, maxRetries, progress, closing },
    locationId: '',
    origin,
    path: `${basePath}${OPERATION.template}`,
    headers: {
      ...headers,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ grant_type: 'CLIENT_CREDENTIALS', client_id: clientId, client_secret: secret }),
    emptyAllowed: false,
    idempotencyKey: undefined,
    checkBeforeSending: undefined,
    trace: undefined,
    log: new AttemptLog(),
  };
}

function tokenOf(response: TokenResponse, clock: Clock): AccessToken {
  const token = response.status < 300 ? readAccessToken(response.data) : undefined;
  // The life counts from the request, since the response may have been long on its way.
  if (token) return { ...token, lifeMs: token.lifeMs - (monotonicNow(clock) - response.requestedAt) };
  // The body of a success may hold a token after all, and goes no further.
  const data = response.status < 300 ? undefined : response.data;
  throw new Failure({
    kind: 'token',
    written: false,
    response: { status: response.status, headers: response.headers, data },
  });
}

/** A pause that is too long to wait out is the endpoint's earlier 429. */
function responseOf(error: unknown): HttpResponse | undefined {
  const facts = error instanceof Failure ? error.facts : undefined;
  if (facts?.kind === 'paused') {
    return { status: 429, headers: { 'retry-after': String(facts.retryAfterSeconds) }, data: undefined };
  }
  return undefined;
}

async function readSecret({ readSecret: read, clock, timeout }: TokenRequestDeps): Promise<string> {
  let secret: unknown;
  try {
    const given = read();
    secret =
      typeof given === 'string'
        ? given
        : await within(clock, timeout, 'The function given as "clientSecret"', () => given);
  } catch (cause) {
    throw new Failure({ kind: 'token', written: false, response: undefined }, cause);
  }
  if (typeof secret === 'string' && secret !== '') return secret;
  throw new Failure(
    { kind: 'token', written: false, response: undefined },
    new TypeError('The function given as "clientSecret" gave no text.'),
  );
}
