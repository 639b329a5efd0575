import type { Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { OnlineOrdering, PaymentJournal } from 'online-ordering-sdk';
import { picture } from './picture.js';
import { createShelves, type Shelves } from './shelves.js';
import { type Visit, Visits } from './visit.js';

export interface ShopOptions {
  readonly client: OnlineOrdering;
  /** `signing_secret` of the subscription that delivers to `/webhooks`. */
  readonly webhookSecret: string;
  /** Where checkouts and payments are written down before they leave, so that a crash charges nobody twice. */
  readonly journal: PaymentJournal;
  /** The time by which stores are open and items are sold. The mock has one of its own. @defaultValue Date.now */
  readonly now?: () => number;
  /** Visits that are remembered; beyond, the one that was quiet longest is forgotten. @defaultValue 10000 */
  readonly maxVisits?: number;
}

interface Variables {
  visit: Visit;
}

export type ShopApp = Hono<{ Variables: Variables }>;
export type ShopContext = Context<{ Variables: Variables }>;

/** What the routes share. */
export interface Shop {
  readonly client: OnlineOrdering;
  readonly journal: PaymentJournal;
  readonly visits: Visits;
  readonly shelves: Shelves;
  readonly now: () => number;
  /** Everything that the page shows of a visit. Each click gets it, and each change sends it. */
  pictureOf(visit: Visit): ReturnType<typeof picture>;
  /** Sends the picture of a visit to its open pages. */
  showPages(visit: Visit): Promise<void>;
  /** The same for all visits that are concerned. */
  showAll(isConcerned: (visit: Visit) => boolean): Promise<void>;
  /** Sends a text to every open page. */
  tellAll(text: string): void;
}

export function openShop({ client, journal, now = Date.now, maxVisits = 10_000 }: ShopOptions): Shop {
  const visits = new Visits(maxVisits);
  const shelves = createShelves(client, now);
  const pictureOf = (visit: Visit) => picture(visit, shelves, now());
  const showPages = async (visit: Visit): Promise<void> => {
    if (visit.pages.size === 0) return;
    const picture = await pictureOf(visit);
    for (const show of visit.pages) show('picture', picture);
  };
  const showAll = async (isConcerned: (visit: Visit) => boolean): Promise<void> => {
    await Promise.all(visits.all().filter(isConcerned).map(showPages));
  };
  const tellAll = (text: string): void => {
    for (const { pages } of visits.all()) for (const show of pages) show('aside', text);
  };
  return { client, journal, visits, shelves, now, pictureOf, showPages, showAll, tellAll };
}

/** The pages that are open: each is sent a picture at once, and after each change. */
export function serveEvents(app: ShopApp, { pictureOf }: Shop): void {
  app.get('/api/events', (c) =>
    streamSSE(c, async (stream) => {
      const visit = c.get('visit');
      const show = (event: string, data: unknown): void => void stream.writeSSE({ event, data: JSON.stringify(data) });
      const left = new Promise<void>((resolve) => stream.onAbort(resolve));
      visit.pages.add(show);
      try {
        show('picture', await pictureOf(visit));
        await left;
      } finally {
        visit.pages.delete(show);
      }
    }),
  );
}
