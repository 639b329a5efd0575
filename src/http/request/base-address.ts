import { ConfigurationError } from '../../errors/local.js';

/** The base address, taken apart. */
export interface BaseAddress {
  readonly baseUrl: string;
  readonly origin: string;
  /** Without a slash at its end. */
  readonly basePath: string;
}

/** Where the interface document says that every address ends. */
const BASE_PATH = '/v1/online-ordering';

/** Reads a base address; plain http is for loopback, and for the hosts that were named. */
export function parseBaseUrl(text: string, plainHttpHosts: readonly string[] = []): BaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw wrongAddress('is not an address; write for example "https://api.example.com/v1/online-ordering"');
  if (url.username || url.password)
    throw wrongAddress('holds a user name or password; the client signs in with clientId and clientSecret');
  if (url.search || url.hash) throw wrongAddress('has a query or a fragment; leave it out');
  const mayBePlain = url.protocol === 'http:' && (isLoopback(url.hostname) || plainHttpHosts.includes(url.hostname));
  if (url.protocol !== 'https:' && !mayBePlain) {
    throw wrongAddress(
      'is not https; only a loopback address may be http, and a host of a private network that "plainHttpHosts" names',
    );
  }
  const basePath = url.pathname.replace(/\/+$/, '');
  return { baseUrl: `${url.origin}${basePath}`, origin: url.origin, basePath };
}

/** What is odd about an address that works; `undefined` for one that ends as the interface document says. */
export function oddBasePath({ baseUrl, origin, basePath }: BaseAddress): string | undefined {
  if (basePath.endsWith(BASE_PATH)) return undefined;
  const version = /\/v(\d+)\/online-ordering$/.exec(basePath)?.[1];
  if (version !== undefined) {
    return `The option "baseUrl" (${baseUrl}) names version ${version} of the interface, and this package was written for version 1; write "${origin}${BASE_PATH}".`;
  }
  return `The option "baseUrl" (${baseUrl}) does not end with "${BASE_PATH}"; "${origin}${basePath}${BASE_PATH}" was probably meant.`;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

function wrongAddress(problem: string): ConfigurationError {
  return new ConfigurationError(`The option "baseUrl" ${problem}.`);
}
