import { Call } from '../http/exchange/call.js';
import { Failure } from '../http/exchange/failure.js';
import type { HttpRequest, HttpResponse, Send } from '../http/exchange/message.js';
import { operationOf } from '../http/exchange/operation.js';
import type { Clock } from '../platform/clock.js';
import { type AccessToken, readAccessToken } from './access-token.js';

/** A secret, or a function that reads the present one: a rotated secret then needs no restart. */
export type SecretSource = string | (() => string | Promise<string>);

export interface TokenRequestParts {
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
}

const OPERATION = operationOf('POST', '/auth/token');

/**
 * Asks for an access token. Rejects with a `Failure` of kind `token`.
 *
 * When the credentials are refused, the secret is read again, and tried once more if it has changed.
 *
 * @see Interface document, "Authentication"
 */
export async function requestToken(parts: TokenRequestParts): Promise<AccessToken> {
  const secret = await readSecret(parts);
  const first = await ask(parts, secret);
  if (first.status !== 401) return tokenOf(first);

  const again = await readSecret(parts);
  return tokenOf(again === secret ? first : await ask(parts, again));
}

interface Answer extends HttpResponse {
  readonly requestedAt: number;
}

async function ask(parts: TokenRequestParts, secret: string): Promise<Answer> {
  const { clock, timeout, maxWait, maxRetries } = parts;
  const settings = { signal: undefined, deadlineAt: Number.POSITIVE_INFINITY, timeout, maxWait, maxRetries };
  const call = new Call(OPERATION, settings, '');
  const requestedAt = clock.now();
  try {
    return { ...(await parts.send(buildTokenRequest(parts, secret, call))), requestedAt };
  } catch (error) {
    throw new Failure({ kind: 'token', written: false, answer: answerOf(error) }, error);
  }
}

function buildTokenRequest(parts: TokenRequestParts, secret: string, call: Call): HttpRequest {
  const { origin, basePath, clientId, headers } = parts;
  return {
    method: OPERATION.method,
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
    call,
  };
}

function tokenOf(answer: Answer): AccessToken {
  const token = answer.status < 300 ? readAccessToken(answer.data, answer.requestedAt) : undefined;
  if (token) return token;
  // The body of a success may hold a token after all, and goes no further.
  const data = answer.status < 300 ? undefined : answer.data;
  throw new Failure({
    kind: 'token',
    written: false,
    answer: { status: answer.status, headers: answer.headers, data },
  });
}

/** A pause that is too long to wait out is the endpoint's earlier 429. */
function answerOf(error: unknown): HttpResponse | undefined {
  const facts = error instanceof Failure ? error.facts : undefined;
  if (facts?.kind === 'paused') {
    return { status: 429, headers: { 'retry-after': String(facts.retryAfterSeconds) }, data: undefined };
  }
  return undefined;
}

async function readSecret({ readSecret: read }: TokenRequestParts): Promise<string> {
  let secret: unknown;
  try {
    secret = await read();
  } catch (cause) {
    throw new Failure({ kind: 'token', written: false, answer: undefined }, cause);
  }
  if (typeof secret === 'string' && secret !== '') return secret;
  throw new Failure(
    { kind: 'token', written: false, answer: undefined },
    new TypeError('The function given as "clientSecret" gave no text.'),
  );
}
