import type { WebhookVerificationError } from '../../errors/webhook.js';
import type { DeliveryHeaders } from '../signature/delivery-headers.js';
import type { DeliveryResult } from './delivery-result.js';

/** A delivery as any server can hand it over. */
export interface Delivery {
  /** As it was sent, before any parser: text, `Buffer`, `Uint8Array` or `ArrayBuffer`. */
  readonly body: unknown;
  /** Of the request; names in any case. */
  readonly headers: DeliveryHeaders;
  /** Set by an adapter that could not read the body. */
  readonly refusal?: WebhookVerificationError | undefined;
}

/** What adapters hand deliveries to. */
export type Receive = (delivery: Delivery) => Promise<DeliveryResult>;
