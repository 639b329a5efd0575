import type { PriceCalculation } from '../../contract/index.js';
import { PaymentStateError } from '../../errors/payment.js';
import type { Clock } from '../../platform/clock.js';
import { newUuid } from '../../platform/uuid.js';
import { centsOf } from '../payments/amounts.js';
import type { PaymentJournal } from '../payments/journal/journal.js';
import { JournalAccess } from '../payments/journal/journal-access.js';
import type { TimeLimit } from '../time-limit.js';

/** Which key each price of a cart goes out with, so that a checkout whose response was lost can be repeated. */
export interface CheckoutAttempts {
  /**
   * The price of the last attempt that an earlier call wrote down.
   *
   * @throws {PaymentStateError} `journal_unreadable`, `journal_unavailable`.
   */
  last(): Promise<PriceCalculation | undefined>;
  /** The key for this price; durable, if there is a journal. `undefined`: a fresh one. */
  keyFor(price: PriceCalculation): Promise<string | undefined>;
}

export interface AttemptsDeps {
  readonly cartId: string;
  readonly idempotencyKey: string | undefined;
  readonly journal: PaymentJournal | undefined;
  readonly limit: TimeLimit;
  readonly clock: Clock;
}

export function checkoutAttempts(deps: AttemptsDeps): CheckoutAttempts {
  const { idempotencyKey, journal } = deps;
  if (journal) return new WrittenAttempts(journal, deps);
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

/** Writes of one call that may be refused: each refusal says that another call for the cart was faster. */
const MOST_REFUSED = 20;

/** Attempts in a payment journal, beside the records of orders: one text per cart. */
class WrittenAttempts implements CheckoutAttempts {
  readonly #access: JournalAccess;
  readonly #id: string;
  readonly #idempotencyKey: string | undefined;
  #text: string | undefined;
  #attempts: readonly Attempt[] | undefined;

  constructor(journal: PaymentJournal, { cartId, idempotencyKey, limit, clock }: AttemptsDeps) {
    this.#id = `cart-${cartId.toLowerCase()}`;
    this.#access = new JournalAccess({ journal, orderId: this.#id, clock, signal: limit.waits });
    this.#idempotencyKey = idempotencyKey;
  }

  async last(): Promise<PriceCalculation | undefined> {
    return (await this.#read()).at(-1)?.price;
  }

  async keyFor(price: PriceCalculation): Promise<string> {
    for (let refused = 0; refused < MOST_REFUSED; refused += 1) {
      const attempts = await this.#read();
      const known = attempts.find((one) => centsOf(one.price.total) === centsOf(price.total));
      if (known) return known.key;
      const key =
        this.#idempotencyKey === undefined
          ? newUuid()
          : await derivedKey(`${this.#idempotencyKey.toLowerCase()}:${price.total.amount}`);
      const next = [...attempts, { key, price }];
      // Not open: `journal.open()` names orders only.
      const text = JSON.stringify({ open: false, attempts: next });
      const written = await this.#access.write(this.#text, text);
      if (written.done) {
        this.#text = text;
        this.#attempts = next;
        return key;
      }
      // Another call for this cart was faster: its key counts.
      this.#attempts = undefined;
    }
    throw new PaymentStateError(
      `The journal refused ${MOST_REFUSED} writes of the checkout ${this.#id} in a row. The cart was not checked out. ` +
        'Look at its store or disk, and call again.',
      { orderId: this.#id, reason: 'journal_unavailable' },
    );
  }

  async #read(): Promise<readonly Attempt[]> {
    if (this.#attempts) return this.#attempts;
    this.#text = await this.#access.read();
    this.#attempts = this.#text === undefined ? [] : parseAttempts(this.#id, this.#text);
    return this.#attempts;
  }
}

/** A text that cannot be read is an error: to begin anew could make a second order. */
function parseAttempts(id: string, text: string): readonly Attempt[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(id, 'it is not JSON', cause);
  }
  const attempts: unknown = fields(value).attempts;
  if (!Array.isArray(attempts)) throw unreadable(id, 'it holds no attempts to check out a cart');
  if (!attempts.every(isAttempt)) throw unreadable(id, 'its attempts are not whole');
  return attempts;
}

function isAttempt(value: unknown): value is Attempt {
  const { key, price } = fields(value);
  return typeof key === 'string' && key !== '' && centsOf(fields(price).total) !== undefined;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function unreadable(id: string, why: string, cause?: unknown): PaymentStateError {
  return new PaymentStateError(
    `The journal holds a text under ${id} that cannot be read (${why}). The cart was not checked out. ` +
      'Look at the cart and at the orders of the service, and move the text away when no order was made of it.',
    { orderId: id, reason: 'journal_unreadable' },
    cause === undefined ? {} : { cause },
  );
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
