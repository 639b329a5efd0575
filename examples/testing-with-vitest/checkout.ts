import { ExpectedTotalMismatchError, type OnlineOrdering, type PriceCalculation } from 'online-ordering-sdk';

export type CheckoutOutcome =
  | { readonly kind: 'ordered'; readonly orderId: string }
  | {
      readonly kind: 'price_changed';
      readonly shown: number;
      readonly now: number;
      readonly reasons: readonly string[];
    };

/** The partner's own code: checks out at the price that the customer saw, or says what has changed. */
export async function checkOutAtShownPrice(client: OnlineOrdering, shown: PriceCalculation): Promise<CheckoutOutcome> {
  try {
    const { order_id: orderId } = await client.carts.checkout(shown.cart_id, { expected_total: shown.total.amount });
    return { kind: 'ordered', orderId };
  } catch (error) {
    if (!(error instanceof ExpectedTotalMismatchError)) throw error;
    const { total } = await client.carts.calculate(shown.cart_id);
    return { kind: 'price_changed', shown: shown.total.amount, now: total.amount, reasons: error.changeReasons };
  }
}
