import { systemClock } from '../../platform/clock.js';
import type { RequestSummary } from './recorder.js';
import type { Topic } from './taps.js';

/** How long changes are gathered before they are sent, in real milliseconds. */
const GATHER_MS = 40;
/** A comment that often keeps proxies from closing a quiet stream. */
const ALIVE_MS = 15_000;
/** Requests that wait for a reader at most; the oldest is left out. */
const WAITING = 2000;

/** Tells open streams what happens: server-sent events `request` and `changed`. */
export class Live {
  readonly #streams = new Set<Stream>();

  request(request: RequestSummary): void {
    for (const stream of this.#streams) stream.request(request);
  }

  changed(topic: Topic): void {
    for (const stream of this.#streams) stream.changed(topic);
  }

  open(): ReadableStream<Uint8Array> {
    let stream: Stream;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = new Stream(controller);
        this.#streams.add(stream);
      },
      pull: () => stream.soon(),
      cancel: () => {
        this.#streams.delete(stream);
        stream.end();
      },
    });
  }
}

const encoder = new TextEncoder();

class Stream {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #requests = new Map<number, RequestSummary>();
  readonly #topics = new Set<Topic>();
  #stopTimer: (() => void) | undefined;
  #stopAlive: (() => void) | undefined;

  constructor(controller: ReadableStreamDefaultController<Uint8Array>) {
    this.#controller = controller;
    this.#send('retry: 1000\nevent: hello\ndata: {}\n\n');
    this.#keepAlive();
  }

  request(request: RequestSummary): void {
    this.#requests.set(request.number, request);
    if (this.#requests.size > WAITING) {
      const [oldest] = this.#requests.keys();
      this.#requests.delete(oldest!);
    }
    this.soon();
  }

  changed(topic: Topic): void {
    this.#topics.add(topic);
    this.soon();
  }

  soon(): void {
    if (this.#stopTimer || (this.#requests.size === 0 && this.#topics.size === 0)) return;
    this.#stopTimer = systemClock.setTimer(() => this.#flush(), GATHER_MS, { background: true });
  }

  end(): void {
    this.#stopTimer?.();
    this.#stopAlive?.();
  }

  #flush(): void {
    this.#stopTimer = undefined;
    // A reader that does not keep up gets the rest when it reads again.
    if ((this.#controller.desiredSize ?? 0) <= 0) return;
    const lines: string[] = [];
    for (const request of this.#requests.values()) lines.push(`event: request\ndata: ${JSON.stringify(request)}\n\n`);
    if (this.#topics.size > 0) {
      lines.push(`event: changed\ndata: ${JSON.stringify({ topics: [...this.#topics] })}\n\n`);
    }
    this.#requests.clear();
    this.#topics.clear();
    this.#send(lines.join(''));
  }

  #keepAlive(): void {
    this.#stopAlive = systemClock.setTimer(
      () => {
        if ((this.#controller.desiredSize ?? 0) > 0) this.#send(': alive\n\n');
        this.#keepAlive();
      },
      ALIVE_MS,
      { background: true },
    );
  }

  #send(text: string): void {
    this.#controller.enqueue(encoder.encode(text));
  }
}
