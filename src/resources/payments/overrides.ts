import type { Payment } from '../../contract/index.js';

/** What is known of a payment request, to find it again among an order's payments. */
export interface SentPayment {
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
 * choices made here (gaps PAY-1, PAY-3, PAY-4) is met without waiting for a release.
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
}
