import type { Emitter } from '../../platform/emitter.js';
import { type Ended, FactChannel, TraceChannel, type TraceMessage } from '../../platform/tracing.js';
import type { DriftLog } from '../drift/drift-log.js';
import type { AttemptFacts, ClientEvents, DriftFacts, ResponseFacts } from './events.js';

/**
 * The message of one attempt in the tracing channel `online-ordering-sdk:request`. The same object comes with each of its
 * events; the fields of the response are there from `asyncEnd` on.
 */
export interface TraceContext extends AttemptFacts, TraceMessage {
  /** The message of the call that the attempt belongs to; `undefined` for a token request, and while calls are not traced. */
  readonly call: CallTrace | undefined;
  /** Headers that a subscriber to `start` adds to the request, such as `traceparent`. Those of the client itself stay. */
  headers: Record<string, string> | undefined;
  /** HTTP status; `undefined` when no response arrived. */
  status?: number | undefined;
  /** The service's id of the request, for its support. */
  requestId?: string | undefined;
  /** Milliseconds from sending to the last byte, on a clock that never steps back. */
  durationMs?: number;
  /** Why no usable response arrived: `connection`, `timeout`, `aborted`, `deadline`, `unusable`. */
  failure?: string | undefined;
}

/** The message of one call in the tracing channel `online-ordering-sdk:call`: all attempts and waits of it. */
export interface CallTrace extends TraceMessage {
  readonly method: string;
  /** Path template. */
  readonly path: string;
  readonly serverAddress: string;
  readonly serverPort: number;
  status?: number | undefined;
  attempts?: number;
  /** Of a write that failed: `not_sent`, `refused`, `applied` or `unknown`. */
  outcome?: string | undefined;
  /** Name of the error's class. */
  errorType?: string | undefined;
}

const requests = /* @__PURE__ */ new TraceChannel<TraceContext>('request');
const calls = /* @__PURE__ */ new TraceChannel<CallTrace>('call');

/** What happens at one moment is published in a plain channel of the event's name as well. */
const facts: { readonly [Name in keyof ClientEvents]?: FactChannel<object> } = {
  retry: /* @__PURE__ */ new FactChannel('retry'),
  cooldown: /* @__PURE__ */ new FactChannel('cooldown'),
  budget: /* @__PURE__ */ new FactChannel('budget'),
  token: /* @__PURE__ */ new FactChannel('token'),
  drift: /* @__PURE__ */ new FactChannel('drift'),
};

/** Passes what happens to listeners, the logger and the diagnostics channels; costs next to nothing without them. */
export class Observer {
  readonly #emitters: readonly Emitter<ClientEvents>[];
  readonly #drifts: DriftLog | undefined;

  /**
   * @param emitters - that of the client, and that of its logger.
   * @param drifts - which drifts were emitted before.
   */
  constructor(emitters: readonly Emitter<ClientEvents>[], drifts?: DriftLog) {
    this.#emitters = emitters;
    this.#drifts = drifts;
  }

  hears(name: keyof ClientEvents): boolean {
    for (const emitter of this.#emitters) if (emitter.has(name)) return true;
    return false;
  }

  emit<Name extends keyof ClientEvents>(name: Name, event: ClientEvents[Name]): void {
    for (const emitter of this.#emitters) emitter.emit(name, event);
    facts[name]?.publish(event);
  }

  /** Emits what of a drift was not emitted before; the rest is counted. */
  emitDrift(drift: DriftFacts): void {
    const issues = this.#drifts ? this.#drifts.fresh(`${drift.method} ${drift.path}`, drift.issues) : drift.issues;
    if (issues.length > 0) this.emit('drift', { ...drift, issues });
  }

  /** True when an attempt must be described: it has a listener or a tracer. */
  get watchesAttempts(): boolean {
    return requests.isTraced || this.hears('request') || this.hears('response');
  }

  /** True when whole calls are traced. */
  get tracesCalls(): boolean {
    return calls.isTraced;
  }

  /** Runs one call, and publishes its beginning and end to tracers. */
  call<T>(trace: CallTrace, work: () => Promise<T>, finish: (ended: Ended<T>) => string | undefined): Promise<T> {
    return calls.trace(trace, work, finish);
  }

  /**
   * Runs one attempt, and reports its beginning and end.
   *
   * @param work - is given the headers that a subscriber has added to the message: those of a trace.
   */
  async attempt<T>(
    attempt: AttemptFacts,
    call: CallTrace | undefined,
    work: (headers: Readonly<Record<string, string>> | undefined) => Promise<T>,
    ended: (result: Ended<T>) => ResponseFacts,
  ): Promise<T> {
    const context: TraceContext = { ...attempt, call, headers: undefined };
    const observed = async (): Promise<T> => {
      this.emit('request', attempt);
      try {
        const value = await work(context.headers);
        this.#report(context, ended({ value }));
        return value;
      } catch (error) {
        this.#report(context, ended({ error }));
        throw error;
      }
    };
    return requests.trace(context, observed, () => context.failure);
  }

  #report(context: TraceContext, response: ResponseFacts): void {
    Object.assign(context, response);
    this.emit('response', response);
  }
}
