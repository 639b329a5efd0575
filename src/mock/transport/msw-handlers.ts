import type { HttpHandler } from 'msw';
import { nodeBuiltin } from '../../platform/node-builtin.js';

/** MSW's own handlers over `fetch`, for every address below `baseUrl`. MSW is loaded here, and only here. */
export function createMswHandlers(fetch: typeof globalThis.fetch, baseUrl: string): HttpHandler[] {
  const { http } = loadMsw();
  return [http.all(`${baseUrl}/*`, ({ request }) => fetch(request).catch(() => Response.error()))];
}

function loadMsw(): typeof import('msw') {
  // Synchronous, and the same in both module formats: first as this package sees it, then as the project does. No bundler
  // sees it: one that did would look for a package that may not be there.
  const modules = nodeBuiltin('node:module');
  let cause: unknown;
  for (const from of modules ? [ownLocation(), `${process.cwd()}/package.json`] : []) {
    try {
      return modules?.createRequire(from)('msw') as typeof import('msw');
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(
    'service.handlers needs MSW 2, which is not installed. Run `npm install --save-dev msw`, or use service.fetch or service.dispatcher.',
    { cause },
  );
}

/** Where this file is, in both module formats. */
function ownLocation(): string {
  return typeof __filename === 'string' ? __filename : import.meta.url;
}
