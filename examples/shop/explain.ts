import {
  APIError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  OnlineOrderingError,
  OutcomeUnknownError,
  PaymentStateError,
  RateLimitError,
  RequestValidationError,
  SettlementInterruptedError,
  UnprocessableEntityError,
} from 'online-ordering-sdk';

export interface Explanation {
  readonly status: 400 | 404 | 409 | 422 | 500 | 502 | 503;
  /** For the customer: what happened, and what to do. Never the text of an error, which is for you. */
  readonly message: string;
  /** The cart or the order is no longer known. */
  readonly isGone?: boolean;
}

/** What the page should not have sent: another page, or a person, has written it. The message is for them. */
export class Unfit extends Error {}

/** What customers read where a business rule forbids something; `scenario` tells the situations apart. */
const SCENARIOS: Readonly<Record<string, string>> = {
  item_unavailable: 'This has just sold out, or is not sold at this hour.',
  quantity_limit: 'That is more of this item than one order may have.',
  modifier_validation_failed: 'The choices for this item no longer fit the menu. Open it and choose again.',
  cart_empty: 'The cart is empty.',
  handoff_missing: 'Say how you want to get your order.',
  handoff_invalid: 'The details of pick-up or delivery are not complete.',
  below_minimum_order: 'This store has a minimum for this kind of order.',
  payment_declined: 'The payment was declined, and nothing was charged.',
  refund_exceeds_balance: 'This has been refunded already.',
  location_not_orderable: 'This store takes no online orders now.',
  order_not_cancellable: 'The store has begun to prepare this order: it can no longer be cancelled.',
  promo_already_applied: 'Only one promo code can be used. Remove the other one first.',
  cart_already_checked_out: 'This cart has been ordered already.',
};

/** One row for each thing that the customer does differently. */
export function explain(error: unknown): Explanation {
  if (error instanceof Unfit) return { status: 400, message: error.message };
  if (error instanceof OutcomeUnknownError || error instanceof SettlementInterruptedError)
    return {
      status: 503,
      message: 'We do not know yet whether this went through. Try again in a moment: nothing is charged twice.',
    };
  if (error instanceof PaymentStateError)
    return {
      status: 409,
      message: 'A payment of this order is still being decided. Wait for it before you pay in another way.',
    };
  if (error instanceof RequestValidationError)
    return { status: 400, message: `Please check what you entered: ${error.problems[0]?.message ?? ''}` };
  if (error instanceof NotFoundError)
    return {
      status: 404,
      message: 'This is no longer there. Look again, please.',
      isGone: error.scenario === 'cart_not_found' || error.scenario === 'order_not_found',
    };
  if (error instanceof UnprocessableEntityError || error instanceof ConflictError) {
    const message = SCENARIOS[error.scenario] ?? 'The store cannot do this now. Look at your order again.';
    return { status: error instanceof ConflictError ? 409 : 422, message };
  }
  if (error instanceof RateLimitError)
    return { status: 503, message: 'The store is very busy. Try again in a minute.' };
  if (error instanceof OnlineOrderingError) {
    // Your operators need it; it holds no secret and no customer's data.
    console.error(error.message);
    if (error instanceof BadRequestError) return { status: 400, message: 'The store did not understand this.' };
    const status = error instanceof APIError ? 502 : 503;
    return { status, message: 'The store cannot be reached. Nothing is lost; try again.' };
  }
  console.error(error);
  return { status: 500, message: 'Something went wrong in the shop.' };
}
