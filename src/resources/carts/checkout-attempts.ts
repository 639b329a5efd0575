import type { PriceCalculation } from '../../contract/index.js';
import { newUuid } from '../../platform/uuid.js';
import type { PaymentJournal } from '../payments/journal/journal.js';
import type { TimeLimit } from '../time-limit.js';

/** Which key each price of a cart goes out with, so that a checkout whose response was lost can be repeated. */
export interface CheckoutAttempts {
  /** The price of the last attempt that an earlier call wrote down. */
  last(): Promise<PriceCalculation | undefined>;
  /** The key for this price; durable, if there is a journal. `undefined`: a fresh one. */
  keyFor(price: PriceCalculation): Promise<string | undefined>;
}

export interface AttemptsParts {
  readonly cartId: string;
  readonly idempotencyKey: string | undefined;
  readonly journal: PaymentJournal | undefined;
  readonly limit: TimeLimit;
}

export function checkoutAttempts(parts: AttemptsParts): CheckoutAttempts {
  const { idempotencyKey, journal } = parts;
  if (journal) return new WrittenAttempts(journal, parts);
  return {
    last: async () => undefined,
    keyFor: async ({ total }) =>
      idempotencyKey === undefined ? undefined : derivedKey(`${idempotencyKey.toLowerCase()}:${total.amount}`),
  };
}

interface Attempt {
  readonly key: string;
  readonly price: PriceCalculation;
}

/** Attempts in a payment journal, beside the records of orders: one text per cart. */
class WrittenAttempts implements CheckoutAttempts {
  readonly #journal: PaymentJournal;
  readonly #id: string;
  readonly #idempotencyKey: string | undefined;
  readonly #limit: TimeLimit;
  #text: string | undefined;
  #attempts: readonly Attempt[] | undefined;

  constructor(journal: PaymentJournal, { cartId, idempotencyKey, limit }: AttemptsParts) {
    this.#journal = journal;
    this.#id = `cart-${cartId.toLowerCase()}`;
    this.#idempotencyKey = idempotencyKey;
    this.#limit = limit;
  }

  async last(): Promise<PriceCalculation | undefined> {
    return (await this.#read()).at(-1)?.price;
  }

  async keyFor(price: PriceCalculation): Promise<string> {
    const attempts = await this.#read();
    const known = attempts.find((one) => one.price.total.amount === price.total.amount);
    if (known) return known.key;
    const key =
      this.#idempotencyKey === undefined
        ? newUuid()
        : await derivedKey(`${this.#idempotencyKey.toLowerCase()}:${price.total.amount}`);
    const next = [...attempts, { key, price }];
    // Not open: `journal.open()` names orders only.
    const text = JSON.stringify({ open: false, attempts: next });
    if (!(await this.#limit.bound(this.#journal.write(this.#id, this.#text, text)))) {
      // Another call for this cart was faster: its key counts.
      this.#attempts = undefined;
      return this.keyFor(price);
    }
    this.#text = text;
    this.#attempts = next;
    return key;
  }

  async #read(): Promise<readonly Attempt[]> {
    if (this.#attempts) return this.#attempts;
    this.#text = await this.#limit.bound(this.#journal.read(this.#id));
    const written = this.#text === undefined ? undefined : (JSON.parse(this.#text) as { attempts?: Attempt[] });
    this.#attempts = written?.attempts ?? [];
    return this.#attempts;
  }
}

/** A UUID v4 made of a text: the same for the same text. */
async function derivedKey(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const bytes = new Uint8Array(digest).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
