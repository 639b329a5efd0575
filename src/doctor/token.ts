import { isObject, requestIdOf, type Wire, type WireResponse } from '../wire/wire.js';
import { type Finding, ok, skipped, warning, wrong } from './finding.js';
import { environmentOf } from './settings.js';

const SECONDS_FINE = 30;
const SECONDS_OFF = 120;

/** What stood between this machine and the service, if it was not the service that responded to a request for `what`. */
export function checkResponder(response: WireResponse, what = 'token endpoint'): Finding | undefined {
  const { status, headers, text, failure } = response;
  if (failure !== undefined) {
    const advice = 'Check address, port and firewall, and whether only a proxy leads out.';
    return wrong('service', 'connection_failed', `no response: ${failure}`, advice);
  }
  if (status >= 300 && status < 400) {
    const to = headers.location && URL.canParse(headers.location) ? ` to ${new URL(headers.location).origin}` : '';
    const advice = 'Redirects are not followed. Write the address that your onboarding names, with https and its path.';
    return wrong('service', 'redirected', `the ${what} redirects (${status})${to}`, advice);
  }
  const isPage = /html/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text);
  if (isPage) {
    const title = /<title>([^<]{1,80})/i.exec(text)?.[1]?.trim();
    return wrong(
      'service',
      'answered_by_a_proxy',
      `${status} with an HTML page${title ? ` ("${title}")` : ''}: not the service, but a proxy or a portal in front of it`,
      'Open the way to this host in the proxy or firewall, or correct the address.',
    );
  }
  if (status === 404) {
    const advice = 'The path of the address is wrong: it ends with /v1/online-ordering.';
    return wrong('service', 'wrong_address', `the address has no ${what} (404)`, advice);
  }
  return undefined;
}

/** The difference between this machine's clock and the service's, by its `Date`. */
export function checkClock(response: WireResponse, nowMs: number): Finding {
  const said = Date.parse(response.headers.date ?? '');
  if (Number.isNaN(said)) return skipped('clock', 'the service sends no Date');
  // The response was written half of the time ago; `Date` has whole seconds.
  const seconds = Math.round((nowMs - response.ms / 2 - (said + 500)) / 1000);
  const found = `this machine is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(seconds) <= SECONDS_FINE) return ok('clock', found);
  const advice = 'Synchronise the clock (NTP): tokens, filters of dates and time stamps of webhooks depend on it.';
  return Math.abs(seconds) > SECONDS_OFF
    ? wrong('clock', 'clock_off', found, advice)
    : warning('clock', 'clock_off', found, advice);
}

/** The token that was asked for once. `otherBaseUrl` is asked only when this address refuses the credentials. */
export async function checkToken(wire: Wire, response: WireResponse, other: Wire | undefined): Promise<Finding> {
  const { status, data, ms } = response;
  const id = requestIdOf(response);
  const seen = `${status}${id ? `, request ${id}` : ''}`;
  if (status === 401) return refused(wire, seen, other);
  if (status === 403) {
    const advice =
      'The credentials may not be used from here: ask the support whether they are active, and about address lists.';
    return wrong('token', 'token_forbidden', `the token endpoint forbids it (${seen})`, advice);
  }
  if (status === 429) {
    const advice =
      'Too many token requests: one token serves a day and all processes that share a store. Wait, then try again.';
    return wrong('token', 'rate_limited', `the token endpoint refuses for now (${seen})`, advice);
  }
  if (status >= 500) {
    const advice = 'Try again later; if it stays, tell the support the request id.';
    return wrong('token', 'service_failing', `the service fails (${seen})`, advice);
  }
  if (status === 400) {
    const { error } = (isObject(data) ? data : {}) as { error?: { field?: unknown } };
    const field = typeof error?.field === 'string' ? ` (${error.field})` : '';
    const advice = 'The client id is probably not a UUID, or the two are swapped.';
    return wrong(
      'token',
      'malformed_client_id',
      `the token endpoint takes the request for malformed${field}, ${seen}`,
      advice,
    );
  }
  const grant = (isObject(data) ? data : {}) as { access_token?: unknown; expires_in?: unknown; token_type?: unknown };
  if (status !== 200 || typeof grant.access_token !== 'string' || grant.access_token === '') {
    const advice = 'Tell the support the request id.';
    return wrong('token', 'odd_token', `the token endpoint gave no access_token (${seen})`, advice);
  }
  wire.useToken(grant.access_token);
  const life = Number(grant.expires_in);
  const found = `granted, good for ${life} s`;
  if (life !== 86_400 || grant.token_type !== 'BEARER') {
    return warning(
      'token',
      'odd_token',
      found,
      'The interface document says 86400 s and BEARER; the client takes both as they are.',
    );
  }
  return ok('token', `${found}; a wrong secret would be refused with 401`, ms);
}

async function refused(wire: Wire, seen: string, other: Wire | undefined): Promise<Finding> {
  const there = other && (await other.askForToken());
  const here = environmentOf(new URL(wire.credentials.baseUrl).hostname);
  if (there?.status === 200) {
    const found = `the credentials are refused here (${seen}) and taken at the other address`;
    const advice = 'They belong to the other environment: sandbox and production have an address and credentials each.';
    return wrong('token', 'other_environment', found, advice);
  }
  const found = `the credentials are refused (${seen}): the secret is wrong or was rotated, or they belong to ${
    here === 'sandbox' ? 'production' : here === 'production' ? 'the sandbox' : 'the other environment'
  }`;
  const advice =
    there === undefined
      ? 'Compare both with the partner portal. With --other-base-url ADDRESS this command tells the two causes apart.'
      : 'The other address refuses them as well: copy the secret again from the partner portal, or rotate it.';
  return wrong('token', 'credentials_refused', found, advice);
}
