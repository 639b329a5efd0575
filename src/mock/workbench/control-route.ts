import type { MockService } from '../service.js';
import type { ServiceState } from '../state/state.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import type { Recorder } from './recorder.js';
import type { Schema } from './schema.js';
import type { Topic } from './taps.js';

/** What a route of the control API works on. */
export interface Bench {
  readonly service: MockService;
  readonly recorder: Recorder;
  readonly deliveries: Deliveries;
  readonly state: () => ServiceState;
}

export interface ControlInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Held to the schema of the route. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One route of the control API; its documentation, its checks and its address are made of this row. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/_mock`: `/orders/{order_id}/advance`. */
  readonly path: string;
  /** `operationId` of the document. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, Schema>>;
  /** The body of a POST; without it the body is `{}`. */
  readonly body?: Schema;
  readonly response: Schema;
  /** What it changes, for those who look on. */
  readonly changes?: Topic;
  run(input: ControlInput, bench: Bench): unknown;
}

/** The response in place of a result. */
export class ControlError extends Error {
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** The value of a path's id, or a 404 that says where the ids are listed. */
export function found<T>(value: T | undefined, what: string, id: string, listedAt: string): T {
  if (value === undefined)
    throw new ControlError(404, `There is no ${what} ${id}. GET ${listedAt} lists those there are.`);
  return value;
}
