import type { Payment } from '../../contract/index.js';
import { ConfigurationError } from '../../errors/local.js';
import type { Limits } from './lost-response.js';

/** What is known of a payment request, to find it again among an order's payments. */
export interface SentPayment {
  /** The tender type that the request named. */
  readonly payment_method: string;
  /** Integer cents. */
  readonly cents: number;
  /** The key of the request; a payment record may show it. */
  readonly idempotencyKey: string;
  /** When the request was first sent. */
  readonly startedAt: Date;
}

/**
 * How payments are written and recognised where the interface document is silent: a service that differs from the
 * choices made here (gaps PAY-1, PAY-3, PAY-4, PAY-11) is met without waiting for a release.
 */
export interface PaymentOverrides {
  /** Writes the body of `POST /orders/{order_id}/payments` for a tender of `settle`. */
  toRequest?:
    | ((tender: Readonly<Record<string, unknown>>, cents: number) => Readonly<Record<string, unknown>>)
    | undefined;
  /** Tells whether a payment of the order is the one that was sent. */
  matches?: ((payment: Payment, entry: SentPayment) => boolean) | undefined;
  /**
   * The key under which the journal keeps digests of tenders; at least 16 bytes, best 32 random ones. Give one when the
   * client secret is rotated while orders are being paid, or differs between the processes that pay one order.
   * @defaultValue the client secret
   */
  digestKey?: string | Uint8Array | undefined;
  /** Former values of `digestKey`, or former client secrets, so that orders begun under them are gone on with. */
  formerDigestKeys?: readonly (string | Uint8Array)[] | undefined;
  /**
   * Tells what a payment status means that this version does not know: the money moved, will never move, or may still.
   * `undefined` leaves it to the order's `payment_status` (gap PAY-21).
   */
  isFinal?: ((payment: Payment) => 'paid' | 'failed' | 'under_way' | undefined) | undefined;
  /**
   * Milliseconds for which the service may go on executing a request whose connection has ended. A payment or refund of
   * unknown outcome is repeated only after them. 0 for a service that is known to serialise requests with one key, and to
   * remember under it whatever it executed, even where its response was an error
   * (gap PAY-11).
   *
   * @defaultValue 90000
   */
  horizonMs?: number | undefined;
  /**
   * Milliseconds for which an order that is read may not show a payment or refund that was executed. 0 for a service
   * that is known to read what it wrote (gap PAY-11).
   *
   * @defaultValue 30000
   */
  lagMs?: number | undefined;
}

/** The overrides with every limit set. */
export interface PaymentRules extends PaymentOverrides {
  readonly limits: Limits;
}

/** A day: longer than any key is kept. */
const LONGEST_MS = 24 * 60 * 60_000;
const DEFAULTS: Limits = { horizonMs: 90_000, lagMs: 30_000 };

/** @throws {ConfigurationError} `payments.horizonMs` or `payments.lagMs` counts no milliseconds. */
export function paymentRules(overrides: PaymentOverrides = {}): PaymentRules {
  const limits = {
    horizonMs: milliseconds('horizonMs', overrides.horizonMs),
    lagMs: milliseconds('lagMs', overrides.lagMs),
  };
  return { ...overrides, limits };
}

function milliseconds(name: keyof Limits, value: number | undefined): number {
  if (value === undefined) return DEFAULTS[name];
  if (Number.isFinite(value) && value >= 0 && value <= LONGEST_MS) return value;
  throw new ConfigurationError(
    `The option "payments.${name}" is ${value}; it counts milliseconds, from 0 to a day. Leave it out for ${DEFAULTS[name]}.`,
  );
}
