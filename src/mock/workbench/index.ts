import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestLog } from '../kernel/request-log.js';
import type { MockService } from '../service.js';
import type { ServiceState } from '../state/state.js';
import { timestampNow } from '../time/timestamp.js';
import { headerRecord } from '../transport/request-text.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import { createApp, failure } from './app.js';
import { type GuardOptions, turnedAway } from './guard.js';
import { Live } from './live.js';
import { readRequest, writeResponse } from './node.js';
import { Recorder } from './recorder.js';
import type { Taps, Topic } from './taps.js';

export interface WorkbenchDeps {
  readonly service: MockService;
  readonly taps: Taps;
  readonly requests: RequestLog;
  readonly deliveries: Deliveries;
  readonly state: () => ServiceState;
}

/** The page and the control API of one service. */
export interface Workbench {
  /** What a server does with requests below `/_mock`. */
  serve(guard: GuardOptions): (request: IncomingMessage, response: ServerResponse) => void;
}

/** Begins to keep requests, and to tell of them. */
export function openWorkbench({ service, taps, requests, deliveries, state }: WorkbenchDeps): Workbench {
  const live = new Live();
  const recorder = new Recorder({
    requests,
    now: () => timestampNow(state().clock),
    onRequest(request) {
      live.request(request);
      // A write changes an order or a cart as often as not.
      if (request.ending !== 'under way' && request.method !== 'GET') for (const topic of WRITTEN) live.changed(topic);
      if (request.fault && request.ending === 'under way') live.changed('faults');
    },
  });
  service.faults.onTaken((taken) => recorder.meets(taken));
  taps.add({
    watch: recorder.watch.bind(recorder),
    changed(topic) {
      if (topic === 'everything') recorder.reset();
      live.changed(topic);
    },
  });
  const app = createApp({ bench: { service, recorder, deliveries, state }, live, changed: taps.changed.bind(taps) });

  const respond = async (request: IncomingMessage, guard: GuardOptions): Promise<Response> => {
    const { method = 'GET' } = request;
    const headers = headerRecord(request.headers);
    const turned = turnedAway({ method, headers, remoteAddress: request.socket.remoteAddress }, guard);
    if (turned) return failure(turned.status, turned.message);
    const read = await readRequest(request);
    return read ? app.fetch(read) : failure(413, 'The body is longer than 5 MB.');
  };
  return {
    serve: (guard) => (request, response) => {
      respond(request, guard)
        .then((made) => writeResponse(made, response))
        .catch(() => request.socket.destroy());
    },
  };
}

const WRITTEN: readonly Topic[] = ['orders', 'carts', 'webhooks'];
