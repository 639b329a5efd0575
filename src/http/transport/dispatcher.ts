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
  /** Sends everything but payments and refunds; it may reuse idle connections. */
  readonly calls: Dispatcher;
  /** Sends payments and refunds. It should open a connection for each, so that none is lost to one that was closed. */
  readonly payments: Dispatcher;
}

/** A request as the client gives it to a dispatcher. */
export interface DispatchOptions {
  /** Scheme, host and port: `https://host:443`. */
  readonly origin: string;
  /** Path with the query, base path included. */
  readonly path: string;
  /** HTTP method in capitals. */
  // biome-ignore lint/suspicious/noExplicitAny: undici 7 and 8 type the method as unions of their own
  readonly method: any;
  /** Headers by name. `authorization` among them: keep it out of logs. */
  readonly headers: Record<string, string>;
  /** JSON text, or `null` for a request without a body. */
  readonly body: string | null;
  /** 0: the attempt has a timer of its own. */
  readonly headersTimeout: number;
  /** 0: the timer of the attempt covers the body too. */
  readonly bodyTimeout: number;
}

/** How the client ends a request that it gave to a dispatcher. */
export interface DispatchController {
  /** Ends the request; the handler hears of it in `onResponseError`. */
  abort(reason: Error): void;
}

/** What a dispatcher calls, in this order, or `onResponseError` at any time. */
export interface DispatchHandler {
  /** The request is about to be written. Before this call nothing can have reached the service. */
  onRequestStart(controller: DispatchController, context: unknown): void;
  /** Status and headers of the response; once more for each 1xx before it. */
  onResponseStart(
    controller: DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
    statusMessage?: string,
  ): void;
  /** A piece of the body. */
  onResponseData(controller: DispatchController, chunk: Uint8Array): void;
  /** The response is complete. */
  onResponseEnd(controller: DispatchController, trailers: unknown): void;
  /** There is no complete response, and none will come. */
  onResponseError(controller: DispatchController, error: Error): void;
}
