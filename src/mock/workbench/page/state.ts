import { useEffect, useState } from 'preact/hooks';
import { AWAY, get, type Req } from './api';

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

/** Requests that the service keeps, and the page with it. */
export const KEPT = 2000;

function take(request: Req): void {
  store.requests.set(request.number, request);
  for (const number of store.requests.keys()) {
    if (number > request.number - KEPT) break;
    store.requests.delete(number);
  }
}

async function loadRequests(): Promise<void> {
  try {
    const requests = await get<Req[]>('/requests');
    store.requests = new Map(requests.map((one) => [one.number, one]));
    store.tell();
  } catch (error) {
    store.say((error as Error).message);
  }
}

/** What tabs tell each other, and what the service tells them. `present` answers a tab that has just been opened. */
interface News {
  readonly type: 'hello' | 'request' | 'changed' | 'error' | 'asks' | 'present';
  readonly data?: string;
}

function hear({ type, data = '' }: News): void {
  if (type === 'request') {
    take(JSON.parse(data));
    store.tell();
  } else if (type === 'changed') {
    const { topics } = JSON.parse(data) as { topics: string[] };
    store.changed(topics);
    if (topics.includes('everything')) void loadRequests();
  } else if (type === 'error') {
    store.connected = false;
    store.tell();
  } else if (type === 'hello' || (type === 'present' && !store.connected)) {
    // On every new connection everything is read again, so that nothing is missed.
    store.connected = true;
    if (store.problem === AWAY) store.problem = '';
    void loadRequests().then(() => store.changed(['everything']));
  }
}

function openStream(tell: (news: News) => void): EventSource {
  const events = new EventSource('/_mock/events');
  for (const type of ['hello', 'request', 'changed', 'error'] as const) {
    events.addEventListener(type, (event) => {
      const { data } = event as MessageEvent<string>;
      tell(data === undefined ? { type } : { type, data });
    });
  }
  return events;
}

/**
 * Follows the service. A browser opens six connections to one address, and a stream of events keeps one for itself: of all
 * tabs, one has the stream and tells the others, and when it is closed the next one has it.
 */
export function follow(): void {
  // Browsers have locks for pages of this machine and over https only.
  if (!navigator.locks) {
    openStream(hear);
    return;
  }
  const tabs = new BroadcastChannel('online-ordering-workbench');
  tabs.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data));
  tabs.postMessage({ type: 'asks' } satisfies News);
  void navigator.locks.request('online-ordering-workbench', () => {
    const tell = (news: News): void => {
      hear(news);
      tabs.postMessage(news);
    };
    openStream(tell);
    tabs.addEventListener('message', ({ data }: MessageEvent<News>) => {
      if (data.type === 'asks' && store.connected) tabs.postMessage({ type: 'present' } satisfies News);
    });
    return new Promise(() => {}); // for as long as the tab is open
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
