import { Buffer } from 'node:buffer';

/** What undici hands a handler to steer the request with. */
export interface MockDispatchController {
  /** True once the request was aborted. */
  readonly aborted: boolean;
  /** True while the receiver wants no more of the body. */
  readonly paused: boolean;
  /** Why it was aborted; `null` as long as it was not. */
  readonly reason: Error | null;
  /** Names and values of the headers in turn, as bytes. */
  rawHeaders: Buffer[];
  /** Names and values of the trailers in turn, as bytes; the mock sends none. */
  rawTrailers: Buffer[];
  /** Ends the request; the handler hears of it as an error. */
  abort(reason?: Error): void;
  /** Holds the body back until `resume`. */
  pause(): void;
  /** Lets the body go on. */
  resume(): void;
}

/** Handlers of undici 7 and 8 (`onRequestStart`, …) and the older ones (`onConnect`, …), which undici 7 still uses. */
export interface MockDispatchHandler {
  /** The request is about to reach the mock. */
  onRequestStart?(controller: MockDispatchController, context: unknown): void;
  /** Status and headers of the response. */
  onResponseStart?(
    controller: MockDispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void;
  /** A piece of the body. */
  onResponseData?(controller: MockDispatchController, chunk: Buffer): void;
  /** The response is complete. */
  onResponseEnd?(controller: MockDispatchController, trailers: Record<string, string>): void;
  /** There is no complete response: a fault, or an abort. */
  onResponseError?(controller: MockDispatchController, error: Error): void;
  /** Older style: the request is about to reach the mock. */
  onConnect?(abort: (reason?: Error) => void, context: unknown): void;
  /** Older style: status and headers; false holds the body back until `resume`. */
  onHeaders?(statusCode: number, headers: Buffer[], resume: () => void, statusText: string): boolean;
  /** Older style: a piece of the body; false holds back the next one. */
  onData?(chunk: Buffer): boolean;
  /** Older style: the response is complete. */
  onComplete?(trailers: string[] | null): void;
  /** Older style: there is no complete response. */
  onError?(error: Error): void;
}

/** One handler, whatever its style. After its end, or its error, it hears nothing more. */
export interface Receiver {
  /** The request is about to be written. False when the handler aborted it there. */
  start(): boolean;
  head(status: number, headers: Readonly<Record<string, string>>): Promise<void>;
  data(chunk: Buffer): Promise<void>;
  /** One byte every 20 ms of real time; the last ones never come. */
  drip(bytes: Buffer): void;
  end(): void;
  fail(error: unknown): void;
}

export function asReceiver(handler: MockDispatchHandler): Receiver {
  let over = false;
  let resumed: (() => void) | undefined;
  let running = Promise.resolve();
  let dripping: ReturnType<typeof setInterval> | undefined;

  const fail = (error: unknown): void => {
    if (over) return;
    over = true;
    clearInterval(dripping);
    controller.resume();
    const reason = error instanceof Error ? error : new Error(String(error));
    if (handler.onResponseError) handler.onResponseError(controller, reason);
    else handler.onError?.(reason);
  };
  const pause = (): void => {
    if (resumed) return;
    running = new Promise((resolve) => {
      resumed = resolve;
    });
  };
  const controller = createController({
    isPaused: () => resumed !== undefined,
    pause,
    resume: () => {
      resumed?.();
      resumed = undefined;
    },
    fail,
  });
  const deliver = async (tell: () => void): Promise<void> => {
    await running;
    if (over) return;
    try {
      tell();
    } catch (error) {
      fail(error);
    }
  };

  return {
    fail,
    start() {
      try {
        if (handler.onRequestStart) handler.onRequestStart(controller, {});
        else handler.onConnect?.(controller.abort, {});
      } catch (error) {
        fail(error);
      }
      return !over;
    },
    head: (status, headers) =>
      deliver(() => {
        controller.rawHeaders = Object.entries(headers)
          .flat()
          .map((text) => Buffer.from(text));
        if (handler.onResponseStart) handler.onResponseStart(controller, status, { ...headers }, '');
        else if (handler.onHeaders?.(status, controller.rawHeaders, controller.resume, '') === false) pause();
      }),
    data: (chunk) =>
      deliver(() => {
        if (handler.onResponseData) handler.onResponseData(controller, chunk);
        else if (handler.onData?.(chunk) === false) pause();
      }),
    drip(bytes) {
      let sent = 0;
      dripping = setInterval(() => {
        if (sent < bytes.length - 2) void this.data(bytes.subarray(sent, ++sent));
      }, 20);
      dripping.unref();
    },
    end: () =>
      void deliver(() => {
        over = true;
        if (handler.onResponseEnd) handler.onResponseEnd(controller, {});
        else handler.onComplete?.([]);
      }),
  };
}

interface Steering {
  isPaused(): boolean;
  pause(): void;
  resume(): void;
  fail(error: unknown): void;
}

function createController({ isPaused, pause, resume, fail }: Steering): MockDispatchController {
  let reason: Error | null = null;
  let aborted = false;
  return {
    get aborted() {
      return aborted;
    },
    get paused() {
      return isPaused();
    },
    get reason() {
      return reason;
    },
    rawHeaders: [],
    rawTrailers: [],
    pause,
    resume,
    abort(cause) {
      if (aborted) return;
      aborted = true;
      reason = cause ?? Object.assign(new Error('Request aborted'), { name: 'AbortError', code: 'UND_ERR_ABORTED' });
      fail(reason);
    },
  };
}
