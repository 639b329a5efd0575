import { z } from 'zod';
import {
  type CashPaymentRequest,
  type GiftCardPaymentRequest,
  type LoyaltyPointsPaymentRequest,
  PAYMENT_RECORD_STATUSES,
  type Payment,
  type PaymentRequest,
  TENDER_TYPES,
  type TokenPaymentRequest,
} from '../records/payment.js';
import { moneyOrCentsSchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { type Fields, record } from './record.js';
import { cents, explain, explainUnion, id, timestamp } from './scalars.js';

/** Schema of {@link Payment}. */
export const paymentSchema = once(() =>
  record<Payment>({
    id: id(),
    order_id: id().optional(),
    payment_method: openEnum(TENDER_TYPES),
    amount: moneyOrCentsSchema(),
    status: openEnum(PAYMENT_RECORD_STATUSES),
    amount_refunded: moneyOrCentsSchema().optional(),
    failure_reason: z.string().nullish(),
    idempotency_key: z.string().nullish(),
    created_at: timestamp().optional(),
    updated_at: timestamp().optional(),
  }),
);

/** Schema of {@link PaymentRequest}. */
export const paymentRequestSchema = once(
  (): z.ZodType<PaymentRequest> =>
    z.discriminatedUnion(
      'payment_method',
      [
        z.looseObject({
          payment_method: z.enum(['CREDIT_CARD', 'DEBIT_CARD', 'DIGITAL_WALLET', 'EBT']),
          amount: paymentCents(),
          payment_token: instrument('the token of your payment provider'),
        } satisfies Fields<TokenPaymentRequest>),
        z.looseObject({
          payment_method: z.literal('GIFT_CARD'),
          amount: paymentCents(),
          gift_card_number: instrument('the number of the gift card'),
          gift_card_pin: instrument('the PIN of the gift card'),
        } satisfies Fields<GiftCardPaymentRequest>),
        z.looseObject({
          payment_method: z.literal('LOYALTY_POINTS'),
          amount: paymentCents(),
          loyalty_account_id: instrument('the id of the loyalty account'),
        } satisfies Fields<LoyaltyPointsPaymentRequest>),
        z.looseObject({
          payment_method: z.literal('CASH'),
          amount: paymentCents(),
        } satisfies Fields<CashPaymentRequest>),
      ],
      { error: explainUnion('a payment: an object with `payment_method` and `amount`', TENDER_TYPES) },
    ),
);

function paymentCents() {
  return cents('what this tender pays');
}

function instrument(meaning: string) {
  return z.string({ error: explain(`text: ${meaning}`) }).optional();
}
