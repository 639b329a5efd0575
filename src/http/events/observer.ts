import type { Emitter } from '../../platform/emitter.js';
import type { AttemptFacts, ClientEvents, DriftFacts, ResponseFacts } from './events.js';

/**
 * The message of one attempt in the tracing channel `online-ordering-sdk:request`. The same object comes with each of its
 * events; the fields of the answer are there from `asyncEnd` on.
 */
export interface TraceContext extends AttemptFacts {
  status?: number | undefined;
  requestId?: string | undefined;
  durationMs?: number;
  failure?: string | undefined;
}

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

interface TracingChannel {
  readonly start: Channel;
  readonly end: Channel;
  readonly asyncStart: Channel;
  readonly asyncEnd: Channel;
  readonly error: Channel;
  tracePromise<T>(work: () => Promise<T>, context: object): Promise<T>;
}

interface DiagnosticsChannel {
  tracingChannel(name: string): TracingChannel;
  channel(name: string): Channel;
}

/** Node's module, where there is one: bundles for other runtimes must not have to resolve it. */
function diagnostics(): DiagnosticsChannel | undefined {
  const runtime = globalThis.process as { getBuiltinModule?: (id: string) => unknown } | undefined;
  const found = runtime?.getBuiltinModule?.('node:diagnostics_channel') as DiagnosticsChannel | undefined;
  return typeof found?.tracingChannel === 'function' ? found : undefined;
}

const module = diagnostics();
const requests = module?.tracingChannel('online-ordering-sdk:request');
const drifts = module?.channel('online-ordering-sdk:drift');

/** Tells listeners, the logger and the diagnostics channels what happens; costs next to nothing while nobody listens. */
export class Observer {
  readonly #emitters: readonly Emitter<ClientEvents>[];

  /** @param emitters - that of the client, and that of its logger. */
  constructor(emitters: readonly Emitter<ClientEvents>[]) {
    this.#emitters = emitters;
  }

  hears(name: keyof ClientEvents): boolean {
    return this.#emitters.some((emitter) => emitter.has(name));
  }

  tell<Name extends keyof ClientEvents>(name: Name, facts: ClientEvents[Name]): void {
    for (const emitter of this.#emitters) emitter.emit(name, facts);
  }

  drift(facts: DriftFacts): void {
    this.tell('drift', facts);
    if (drifts?.hasSubscribers) publishSafely(drifts, facts);
  }

  /** True when an attempt must be described: somebody listens or traces. */
  get watchesAttempts(): boolean {
    return isTraced() || this.hears('request') || this.hears('response');
  }

  /** Runs one attempt, and reports its beginning and end. */
  async attempt<T>(
    facts: AttemptFacts,
    work: () => Promise<T>,
    ended: (result: Settled<T>) => ResponseFacts,
  ): Promise<T> {
    const context: TraceContext = { ...facts };
    const observed = async (): Promise<T> => {
      this.tell('request', facts);
      try {
        const value = await work();
        this.#report(context, ended({ value }));
        return value;
      } catch (error) {
        this.#report(context, ended({ error }));
        throw error;
      }
    };
    return isTraced() ? traced(observed, context) : observed();
  }

  #report(context: TraceContext, facts: ResponseFacts): void {
    Object.assign(context, facts);
    this.tell('response', facts);
  }
}

export type Settled<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Traces without handing out the answer or the failure: `tracePromise` puts both into the message, and they hold
 * personal data, the token endpoint's even the token.
 */
async function traced<T>(work: () => Promise<T>, context: TraceContext): Promise<T> {
  let settled: Settled<T> | undefined;
  const withoutResult = async (): Promise<void> => {
    try {
      settled = { value: await work() };
    } catch (error) {
      settled = { error };
      throw new Error(context.failure);
    }
  };
  await (requests as TracingChannel).tracePromise(withoutResult, context).catch(() => {});
  if (settled && 'value' in settled) return settled.value;
  throw settled?.error;
}

function isTraced(): boolean {
  if (!requests) return false;
  const { start, end, asyncStart, asyncEnd, error } = requests;
  return (
    start.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers
  );
}

function publishSafely(channel: Channel, message: unknown): void {
  try {
    channel.publish(message);
  } catch {
    // An observer must never change what it observes.
  }
}
