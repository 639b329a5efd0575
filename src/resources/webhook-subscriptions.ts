import type {
  WebhookSubscription,
  WebhookSubscriptionRequest,
  WebhookSubscriptionWithSecret,
} from '../contract/index.js';
import type { WriteOptions } from '../http/call-options.js';
import type { CallPromise } from '../http/call-promise.js';
import type { PageList } from '../pagination/page-list.js';
import type { Caller } from './caller.js';
import { type ListOptions, type ListQuery, listOf } from './list.js';

/** Addresses that receive events. What arrives there is read with `online-ordering-sdk/webhooks`. */
export class WebhookSubscriptions {
  readonly #caller: Caller;

  /** @internal Made by the client. */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Registers an https address for events.
   *
   * @returns The subscription with its `signing_secret`, which is shown only here: keep it.
   * @throws {ConflictError} There is a subscription for this address and event type already.
   * @throws {UnprocessableEntityError} The address is not https.
   * @see Interface document, "Webhook subscriptions"; gap HOOK-1
   */
  create(subscription: WebhookSubscriptionRequest, options?: WriteOptions): CallPromise<WebhookSubscriptionWithSecret> {
    return this.#caller.call('POST /webhooks', { body: subscription, options });
  }

  /**
   * Lists the partner's subscriptions, newest first, without their secrets.
   *
   * @param query - `limit`: 1 to 100, 20 by default.
   * @throws {RequestValidationError} `limit` is out of its limits; nothing was sent.
   * @see Interface document, "Webhook subscriptions" and "Pagination"
   */
  list(query?: ListQuery, options?: ListOptions): PageList<WebhookSubscription> {
    return listOf(this.#caller, 'GET /webhooks', { query, options });
  }

  /**
   * Removes a subscription for good. Deliveries under way may still arrive; name its secret in the receiver's
   * `retiredSecrets`.
   *
   * @throws {NotFoundError} There is no such subscription.
   * @see Interface document, "Webhook subscriptions"; gap HOOK-3
   */
  delete(webhookId: string, options?: WriteOptions): CallPromise<void> {
    return this.#caller.call('DELETE /webhooks/{webhook_id}', {
      pathParams: { webhook_id: webhookId },
      options,
    });
  }
}
