import type { Exchange, RawRequest } from '../kernel/exchange.js';

/** What of the service has changed, for whoever shows it. */
export type Topic =
  | 'orders'
  | 'carts'
  | 'stores'
  | 'webhooks'
  | 'faults'
  | 'clock'
  | 'behaviour'
  | 'partners'
  | 'everything';

/** Somebody who looks on. */
export interface Watcher {
  /** Sees a request on its way, and gives back the exchange that runs in its place. */
  watch(raw: RawRequest, exchange: Exchange): Exchange;
  changed(topic: Topic): void;
}

/** Where the workbench looks on. Without one nothing is kept, and nothing costs. */
export class Taps {
  readonly #watchers = new Set<Watcher>();

  add(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** `begin`, seen by the watchers. */
  on(begin: (raw: RawRequest) => Exchange): (raw: RawRequest) => Exchange {
    return (raw) => {
      let exchange = begin(raw);
      for (const watcher of this.#watchers) exchange = watcher.watch(raw, exchange);
      return exchange;
    };
  }

  changed(topic: Topic): void {
    for (const watcher of this.#watchers) watcher.changed(topic);
  }
}
