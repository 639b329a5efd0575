import type { ResponseIssue } from '../../errors/response.js';
import { INTERFACE_VERSION } from '../../platform/version.js';

type Headers = Readonly<Record<string, string>>;

/** The headers by which a service announces the end of an endpoint (gap VERS-1). */
const DEPRECATION_HEADERS = ['deprecation', 'sunset'];

/** The headers by which services tell the version of their interface (gap VERS-2). */
const VERSION_HEADERS = ['x-interface-version', 'x-api-version', 'api-version'];

/** What the headers of a response announce: the end of the endpoint, or another interface than this package was built for. */
export function announced(headers: Headers): readonly ResponseIssue[] {
  const issues: ResponseIssue[] = [];
  for (const name of DEPRECATION_HEADERS) {
    if (headers[name] !== undefined) issues.push({ path: `header ${name}`, kind: 'deprecated' });
  }
  for (const name of VERSION_HEADERS) {
    const version = headers[name];
    if (version !== undefined && !isBuiltFor(version)) issues.push({ path: `header ${name}`, kind: 'version' });
  }
  return issues;
}

/** `1`, `v1`, `1.0` and `1.0.0` name the version 1.0.0. */
function isBuiltFor(version: string): boolean {
  const parts = version.trim().replace(/^v/i, '').split('.');
  return parts.length <= 3 && parts.every((part, index) => part === INTERFACE_VERSION.split('.')[index]);
}
