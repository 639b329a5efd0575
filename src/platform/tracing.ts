import { notify } from './emitter.js';
import { nodeBuiltin } from './node-builtin.js';

/**
 * The diagnostics channels of this package, where the runtime has them. A subscriber that throws disturbs nothing, and a
 * channel without subscribers costs one look.
 */

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
  tracePromise<T>(work: () => Promise<T>, message: object): Promise<T>;
}

interface DiagnosticsChannel {
  tracingChannel(name: string): TracingChannel;
  channel(name: string): Channel;
}

function diagnosticsChannel(): DiagnosticsChannel | undefined {
  const found = nodeBuiltin('node:diagnostics_channel') as DiagnosticsChannel | undefined;
  // Bun and Workers may have the module without this part of it.
  return typeof found?.tracingChannel === 'function' ? found : undefined;
}

const diagnostics = /* @__PURE__ */ diagnosticsChannel();

/** A plain channel: facts that happen at one moment. */
export class FactChannel<Facts extends object> {
  readonly #channel: Channel | undefined;

  constructor(name: string) {
    this.#channel = diagnostics?.channel(`online-ordering-sdk:${name}`);
  }

  publish(facts: Facts): void {
    if (!this.#channel?.hasSubscribers) return;
    notify(() => this.#channel?.publish(facts));
  }
}

/** What every message of a tracing channel may carry. */
export interface TraceMessage {
  /** Set by a subscriber to `start` that wants the work to run within a context of its own. */
  run?: <T>(work: () => T) => T;
}

/**
 * A tracing channel: work with a beginning and an end. The same message comes with each of its events; `finish` writes into
 * it what is known at the end.
 */
export class TraceChannel<Message extends TraceMessage> {
  readonly #channel: TracingChannel | undefined;

  constructor(name: string) {
    this.#channel = diagnostics?.tracingChannel(`online-ordering-sdk:${name}`);
  }

  get isTraced(): boolean {
    if (!this.#channel) return false;
    const { start, end, asyncStart, asyncEnd, error } = this.#channel;
    return (
      start.hasSubscribers ||
      end.hasSubscribers ||
      asyncStart.hasSubscribers ||
      asyncEnd.hasSubscribers ||
      error.hasSubscribers
    );
  }

  /**
   * Runs `work` without handing out its result or its failure: `tracePromise` would put both into the message, and they
   * hold personal data, the token endpoint's even the token.
   *
   * @param finish - writes into the message how the work ended, and names a failure for subscribers.
   */
  async trace<T>(
    message: Message,
    work: () => Promise<T>,
    finish: (ended: Ended<T>) => string | undefined,
  ): Promise<T> {
    if (!this.#channel || !this.isTraced) return work();
    let ended: Ended<T> | undefined;
    const withoutResult = async (): Promise<void> => {
      try {
        ended = { value: await (message.run ? message.run(work) : work()) };
        finish(ended);
      } catch (error) {
        ended = { error };
        throw new Error(finish(ended));
      }
    };
    await this.#channel.tracePromise(withoutResult, message).catch(() => {});
    if (ended && 'value' in ended) return ended.value;
    throw ended?.error;
  }
}

/** How traced work ended. */
export type Ended<T> = { readonly value: T } | { readonly error: unknown };
