/**
 * What the transport needs of an undici 7 or 8 `Dispatcher`. A structural type, so that a partner's own undici, a proxy
 * agent or the mock's dispatcher fits whatever its version is.
 */
export interface Dispatcher {
  /** Sends a request, and calls the handler with what comes back. */
  dispatch(options: DispatchOptions, handler: DispatchHandler): unknown;
}

/** Two dispatchers: one for payments and refunds, one for everything else. */
export interface DispatcherPair {
  readonly calls: Dispatcher;
  readonly payments: Dispatcher;
}

/** A request as the client gives it to a dispatcher. */
export interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: undici 7 and 8 type the method as unions of their own
  readonly method: any;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  /** 0: the attempt has a timer of its own. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

/** How the client ends a request that it gave to a dispatcher. */
export interface DispatchController {
  abort(reason: Error): void;
}

/** What a dispatcher calls, in this order, or `onResponseError` at any time. */
export interface DispatchHandler {
  onRequestStart(controller: DispatchController, context: unknown): void;
  onResponseStart(
    controller: DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void;
  onResponseData(controller: DispatchController, chunk: Uint8Array): void;
  onResponseEnd(controller: DispatchController, trailers: unknown): void;
  onResponseError(controller: DispatchController, error: Error): void;
}
