import type { Dispatcher, DispatchHandler, DispatchOptions } from '../../src/http/transport/dispatcher.js';
import { location } from '../support/records/index.js';
import type { Counts } from './processes.js';
import type { Target } from './subjects.js';

const HEADERS = { 'content-type': 'application/json' };
const RECORD = JSON.stringify(location);
const TOKEN = JSON.stringify({ access_token: 't1', token_type: 'BEARER', expires_in: 86_400 });

/** A service in this process that answers everything at once, for troubles that need very many calls. */
export function inProcessService(): Target & { counts(): Counts } {
  let requests = 0;
  let tokenRequests = 0;
  const answer = (path: string): string => {
    if (path.endsWith('/auth/token')) {
      tokenRequests += 1;
      return TOKEN;
    }
    requests += 1;
    return RECORD;
  };
  const dispatcher: Dispatcher = {
    dispatch({ path }: DispatchOptions, handler: DispatchHandler) {
      const controller = { abort: (reason: Error) => handler.onResponseError(controller, reason) };
      handler.onRequestStart(controller, {});
      const text = answer(path);
      setImmediate(() => {
        handler.onResponseStart(controller, 200, HEADERS);
        handler.onResponseData(controller, Buffer.from(text));
        handler.onResponseEnd(controller, {});
      });
      return true;
    },
  };
  return {
    origin: 'https://api.example.com',
    dispatcher,
    fetch: async (input) => {
      const text = answer(new URL(input instanceof Request ? input.url : input).pathname);
      await new Promise((resolve) => setImmediate(resolve));
      return new Response(text, { headers: HEADERS });
    },
    counts: () => ({ requests, tokenRequests, accepted: requests, refused: 0 }),
  };
}
