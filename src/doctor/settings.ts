import { type Finding, ok, warning, wrong } from './finding.js';

/** What the doctor is told, by flags or by the three variables. */
export interface Settings {
  readonly baseUrl: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** Address of the partner's other environment, to tell whether refused credentials belong there. */
  readonly otherBaseUrl?: string | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const SETTINGS = [
  ['baseUrl', 'the address', 'ONLINE_ORDERING_BASE_URL', '--base-url'],
  ['clientId', 'the client id', 'ONLINE_ORDERING_CLIENT_ID', '--client-id'],
  ['clientSecret', 'the client secret', 'ONLINE_ORDERING_CLIENT_SECRET', undefined],
] as const;

/** Which of the settings are missing. */
export function checkSettings(settings: Settings): Finding[] {
  return SETTINGS.flatMap(([name, what, variable, flag]) => {
    if (settings[name]) return [];
    const or = flag ? `, or write ${flag}` : ' (a secret does not belong into a command line)';
    return wrong('settings', 'missing_setting', `${what} is missing`, `Set ${variable}${or}.`);
  });
}

/** Node and this package. `lowest` is the oldest version of Node that works: `20.19`. */
export function checkVersions(node: string, version: string, lowest = '20.19'): Finding {
  const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number);
  const [least = 0, leastMinor = 0] = lowest.split('.').map(Number);
  const found = `Node ${node.replace(/^v/, '')}, online-ordering-sdk ${version}`;
  if (major > least || (major === least && minor >= leastMinor)) return ok('versions', found);
  return wrong('versions', 'node_too_old', found, `Use Node ${lowest} or newer.`);
}

/** Scheme, path and kind of the address. */
export function checkAddress(baseUrl: string): Finding {
  if (!URL.canParse(baseUrl)) {
    return wrong('address', 'wrong_address', 'the address is no URL', `Write https://HOST/v1/online-ordering.`);
  }
  const url = new URL(baseUrl);
  const { protocol, hostname, pathname } = url;
  const isLocal = LOOPBACK.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) {
    return wrong('address', 'plain_http', `the address begins with ${protocol}//`, 'The service takes https only.');
  }
  const path = pathname.replace(/\/+$/, '');
  if (!path.endsWith('/v1/online-ordering')) {
    const found = `the address ends with ${path === '' ? 'its host' : path}, not with /v1/online-ordering`;
    return wrong('address', 'wrong_address', found, `Write ${url.origin}/v1/online-ordering, or ask for your address.`);
  }
  return ok(
    'address',
    `${url.origin}${path} (${environmentOf(hostname) ?? (isLocal ? 'this machine' : 'it does not say whether sandbox or production')})`,
  );
}

/** The environment that a host names, where it does. */
export function environmentOf(host: string): 'sandbox' | 'production' | undefined {
  if (/(^|[.-])(sandbox|sbx|test|staging|stg|uat|dev)([.-]|$)/i.test(host)) return 'sandbox';
  return /(^|[.-])(prod|production|live)([.-]|$)/i.test(host) ? 'production' : undefined;
}

/** The forms of client id and secret; neither is ever printed. */
export function checkCredentials(clientId: string, clientSecret: string): Finding {
  if (!UUID.test(clientId) && UUID.test(clientSecret)) {
    return wrong(
      'credentials',
      'swapped_credentials',
      'the client secret is a UUID and the client id is not: the two are swapped',
      'Put the UUID into ONLINE_ORDERING_CLIENT_ID, and the other into ONLINE_ORDERING_CLIENT_SECRET.',
    );
  }
  if (!UUID.test(clientId)) {
    const advice = 'Client ids of the service are UUIDs; look for line breaks and quotes that were copied with it.';
    return warning('credentials', 'malformed_client_id', 'the client id is no UUID', advice);
  }
  if (clientSecret !== clientSecret.trim() || /^["'].*["']$/.test(clientSecret)) {
    const advice = 'Copy it again, without the white space or the quotes around it.';
    return warning(
      'credentials',
      'malformed_client_id',
      'the client secret has white space or quotes around it',
      advice,
    );
  }
  return ok('credentials', 'the client id is a UUID, the secret has no white space around it');
}
