import { z } from 'zod';
import {
  type AppliedPromoCode,
  type AppliedPromoCodeList,
  type ApplyPromoCodeRequest,
  type DiscountPreview,
  PROMO_CODE_STATUSES,
  PROMO_REJECTION_REASONS,
  type PromoCodeValidation,
} from '../records/promo-code.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';
import { explain, timestamp } from './scalars.js';

/** Schema of {@link DiscountPreview}. */
export const discountPreviewSchema = once(() =>
  record<DiscountPreview>({
    estimated_discount: moneySchema(),
    description: z.string(),
    applicable_items: z.array(z.string()).optional(),
  }),
);

/** Schema of {@link AppliedPromoCode}. */
export const appliedPromoCodeSchema = once(() =>
  record<AppliedPromoCode>({
    code: z.string(),
    status: openEnum(PROMO_CODE_STATUSES),
    discount_preview: discountPreviewSchema().nullish(),
    applied_at: timestamp(),
  }),
);

/** Schema of {@link AppliedPromoCodeList}. */
export const appliedPromoCodeListSchema = once(() =>
  record<AppliedPromoCodeList>({ data: z.array(appliedPromoCodeSchema()) }),
);

/** Schema of {@link PromoCodeValidation}. */
export const promoCodeValidationSchema = once(() =>
  record<PromoCodeValidation>({
    code: z.string(),
    valid: z.boolean(),
    discount_preview: discountPreviewSchema().nullish(),
    rejection_reason: openEnum(PROMO_REJECTION_REASONS).nullish(),
    rejection_message: z.string().nullish(),
  }),
);

/** Schema of {@link ApplyPromoCodeRequest}. */
export const applyPromoCodeRequestSchema = once(() => {
  const error = explain('the promo code: text that is not empty');
  return record<ApplyPromoCodeRequest>(
    { code: z.string({ error }).regex(/\S/, { error }) },
    { error: explain('an object with the promo code as `code`') },
  );
});
