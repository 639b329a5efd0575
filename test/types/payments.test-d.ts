/**
 * Compiled by `tsc` only: slips in tenders do not compile, and results are told apart by their own fields.
 */
import type { CheckoutWithPriceResult, OnlineOrdering, Settlement, Tender, WaitForResult } from 'online-ordering-sdk';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function holds<T extends true>(): T;
declare const client: OnlineOrdering;

const remaining: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok', amount: 'remaining' };
const money: Tender = { payment_method: 'GIFT_CARD', gift_card_number: '1', amount: { amount: 5, currency: 'USD' } };
void client.orders.settle('order', { tenders: [remaining, money], onDeclined: () => 'retry' });

// @ts-expect-error there is no such tender
const cheque: Tender = { payment_method: 'CHEQUE', amount: 500 };
// @ts-expect-error a gift card has a number, and no token
const giftCard: Tender = { payment_method: 'GIFT_CARD', payment_token: 'tok', amount: 500 };
// @ts-expect-error an amount is whole cents, Money, or 'remaining'
const text: Tender = { payment_method: 'CASH', amount: '5.00' };
// @ts-expect-error a decline is answered with one of three words, or a tender
void client.orders.settle('order', { tenders: [remaining], onDeclined: () => 'again' });
// @ts-expect-error what is to be paid with is not optional
void client.orders.settle('order', {});
// @ts-expect-error a goal is one of three words, or a predicate
void client.orders.waitFor('order', 'eaten');

declare const settlement: Settlement;
holds<Equal<typeof settlement.status, 'UNPAID' | 'PROCESSING' | 'PARTIALLY_PAID' | 'PAID' | 'CANCELLED'>>();

declare const wait: WaitForResult;
// @ts-expect-error only a wait that did not reach its goal has an ending
void wait.ended;
if (!wait.reached) void wait.ended;

declare const result: CheckoutWithPriceResult;
// @ts-expect-error only a cart that was checked out has an order
void result.checkout;
if (result.status === 'CHECKED_OUT') void result.checkout.order_id;

void [cheque, giftCard, text];
