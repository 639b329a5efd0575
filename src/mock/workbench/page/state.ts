import { useEffect, useState } from 'preact/hooks';
import { get, type Req } from './api';

type Listener = () => void;

/** Requests by number, as they come over the stream; drawn at most once a frame. */
class Store {
  requests = new Map<number, Req>();
  connected = false;
  problem = '';
  /** Rises with every change of a topic. */
  readonly versions: Record<string, number> = {};
  readonly #listeners = new Set<Listener>();
  #scheduled = false;

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const draw = (): void => {
      this.#scheduled = false;
      for (const listener of this.#listeners) listener();
    };
    // A hidden page draws no frames.
    if (document.hidden) setTimeout(draw, 200);
    else requestAnimationFrame(draw);
  }

  changed(topics: readonly string[]): void {
    for (const topic of topics) this.versions[topic] = (this.versions[topic] ?? 0) + 1;
    this.tell();
  }

  say(problem: string): void {
    this.problem = problem;
    this.tell();
  }
}

export const store = new Store();

const KEPT = 2000;

function take(request: Req): void {
  store.requests.set(request.number, request);
  store.requests.delete(request.number - KEPT);
}

async function loadRequests(): Promise<void> {
  const requests = await get<Req[]>('/requests');
  store.requests = new Map(requests.map((one) => [one.number, one]));
  store.tell();
}

/** Follows the service; on every new connection everything is read again, so that nothing is missed. */
export function follow(): void {
  const events = new EventSource('/_mock/events');
  events.addEventListener('hello', () => {
    store.connected = true;
    void loadRequests().then(() => store.changed(['everything']));
  });
  events.addEventListener('request', (event) => {
    take(JSON.parse((event as MessageEvent<string>).data));
    store.tell();
  });
  events.addEventListener('changed', (event) => {
    const { topics } = JSON.parse((event as MessageEvent<string>).data) as { topics: string[] };
    store.changed(topics);
    if (topics.includes('everything')) void loadRequests();
  });
  events.addEventListener('error', () => {
    store.connected = false;
    store.tell();
  });
}

export function useStore(): Store {
  const [, draw] = useState(0);
  useEffect(() => store.listen(() => draw((count) => count + 1)), []);
  return store;
}

/** The response of a route of the control API, read again whenever one of the topics changes. */
export function useRead<T>(path: string | null, topics: readonly string[]): T | undefined {
  const { versions } = useStore();
  const [read, setRead] = useState<{ path: string; value: T }>();
  const version = ['everything', ...topics].map((topic) => versions[topic] ?? 0).join();
  useEffect(() => {
    if (path === null) return;
    let current = true;
    // Several changes in a row are read once.
    const timer = setTimeout(() => {
      get<T>(path).then(
        (value) => current && setRead({ path, value }),
        (error: Error) => current && store.say(error.message),
      );
    }, 30);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [path, version]);
  return read && read.path === path ? read.value : undefined;
}

/** Does something, and shows what went wrong. */
export function act(work: Promise<unknown>): void {
  work.then(
    () => store.say(''),
    (error: Error) => store.say(error.message),
  );
}
