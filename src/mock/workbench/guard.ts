import { isIPv4, isIPv6 } from 'node:net';

/** Who may use the workbench. */
export interface GuardOptions {
  /** Names, or addresses, under which machines other than this one may use it. */
  readonly hosts: readonly string[];
}

export interface Visitor {
  readonly method: string;
  /** `Host`, `Origin` and the like, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Address of the other end of the connection. */
  readonly remoteAddress: string | undefined;
}

export interface Turned {
  readonly status: 403 | 415;
  readonly message: string;
}

/**
 * Why a visitor is turned away; undefined when it is let in.
 *
 * A web page elsewhere must not drive the service: neither under a name of its own that leads to this machine (`Host`),
 * nor from its own origin (`Origin`), nor with a form, which cannot send JSON.
 */
export function turnedAway({ method, headers, remoteAddress }: Visitor, { hosts }: GuardOptions): Turned | undefined {
  const host = headers.host ?? '';
  const name = nameOf(host);
  const isAllowed = hosts.some((one) => one.toLowerCase() === name);
  if (!isAllowed && !isLoopbackName(name)) {
    return {
      status: 403,
      message: `The workbench is not served under the host ${JSON.stringify(host)}. Use http://localhost or http://127.0.0.1, or name the host: service.listen({ workbench: { hosts: [${JSON.stringify(name)}] } }).`,
    };
  }
  if (!isAllowed && !isLoopbackAddress(remoteAddress)) {
    return {
      status: 403,
      message:
        'The workbench is served to this machine only. To open it to others, name the host that they use: service.listen({ workbench: { hosts: ["mock.internal"] } }).',
    };
  }
  const { origin } = headers;
  const isForeign =
    (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) ||
    (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate');
  if (isForeign) {
    return {
      status: 403,
      message: `A web page of ${origin ?? 'another site'} must not use the workbench. Open the workbench's own page, or send the request without a browser.`,
    };
  }
  if (method === 'POST' && !isJson(headers['content-type'])) {
    return { status: 415, message: 'Send the body as JSON, with the header "Content-Type: application/json".' };
  }
  return undefined;
}

/** The host without its port, in lower case: `[::1]:4010` is `::1`. */
function nameOf(host: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(host) ?? [];
  return (bracketed ?? host.replace(/:\d*$/, '')).toLowerCase();
}

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);

function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:/i, '');
  return isIPv4(plain) ? plain.startsWith('127.') : isIPv6(plain) && plain === '::1';
}

const isJson = (type: string | undefined): boolean => /^application\/json\s*(;|$)/i.test(type ?? '');
