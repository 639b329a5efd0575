import { beforeEach, expect, test } from 'vitest';
import { type AttemptHandler, RawDispatcher } from '../../../../src/http/transport/raw-dispatcher.js';

/** As much of undici's older kind of handler as is called. */
interface OlderHandler {
  onConnect(abort: (reason: Error) => void): void;
  onHeaders(status: number, headers: Buffer[]): boolean;
  onData(chunk: Buffer): boolean;
  onComplete(trailers: Buffer[]): void;
  onError(error: Error): void;
}

const OPTIONS = { origin: '', path: '/', method: 'GET', headers: {}, body: null, headersTimeout: 0, bodyTimeout: 0 };

let told: unknown[][];
beforeEach(() => {
  told = [];
});

const handler: AttemptHandler = {
  onRequestStart: (controller) => void told.push(['start', controller]),
  onHead: (_controller, status, headers) => void told.push(['head', status, headers]),
  onResponseStart: () => void told.push(['response start']),
  onResponseData: (_controller, chunk) => void told.push(['data', String(chunk)]),
  onResponseEnd: () => void told.push(['end']),
  onResponseError: (_controller, error) => void told.push(['error', error]),
};

test('an agent is given a handler of the older kind, and what that hears is passed on', () => {
  let older: OlderHandler | undefined;
  const dispatcher = new RawDispatcher({
    dispatch: (_options, given: OlderHandler) => {
      older = given;
    },
    destroy: async () => {},
  });
  dispatcher.dispatch(OPTIONS, handler);
  const aborted: Error[] = [];

  older?.onConnect((reason) => aborted.push(reason));
  expect(older?.onHeaders(200, [Buffer.from('A'), Buffer.from('1')])).toBe(true);
  expect(older?.onData(Buffer.from('body'))).toBe(true);
  older?.onComplete([]);
  const [[, controller], ...rest] = told as [[string, { abort(reason: Error): void }]];
  expect(rest).toEqual([['head', 200, { a: '1' }], ['data', 'body'], ['end']]);

  const reason = new Error('enough');
  controller.abort(reason);
  expect(aborted).toEqual([reason]);
  older?.onError(reason);
  expect(told.at(-1)).toEqual(['error', reason]);
});

test('an agent that takes the newer kind alone gets that, from the first request on', () => {
  const given: object[] = [];
  const dispatcher = new RawDispatcher({
    dispatch: (_options, one: object) => {
      given.push(one);
      if (!('onRequestStart' in one)) {
        throw Object.assign(new Error('invalid onRequestStart method'), { code: 'UND_ERR_INVALID_ARG' });
      }
    },
    destroy: async () => {},
  });
  dispatcher.dispatch(OPTIONS, handler);
  dispatcher.dispatch(OPTIONS, handler);

  expect(given.slice(1)).toEqual([handler, handler]);
});

test('what else an agent throws is thrown, and changes nothing', () => {
  const destroyed = Object.assign(new Error('The client is destroyed'), { code: 'UND_ERR_DESTROYED' });
  let requests = 0;
  const dispatcher = new RawDispatcher({
    dispatch: () => {
      requests += 1;
      throw destroyed;
    },
    destroy: async () => {},
  });

  for (const time of [1, 2]) {
    expect(() => dispatcher.dispatch(OPTIONS, handler)).toThrow(destroyed);
    expect(requests).toBe(time);
  }
});
