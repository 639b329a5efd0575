import { z } from 'zod';
import { once } from './once.js';
import { record } from './record.js';

/**
 * An amount of money as it travels: whole minor units and their currency, never a floating-point number.
 *
 * @see Interface document, "Money"
 */
export interface Money {
  /** Whole minor units: `1250` is 12.50 USD. */
  amount: number;
  /** Currency code; `USD` is the value in use. */
  currency: string;
}

/** Schema of {@link Money}. */
export const moneySchema = once(() => record<Money>({ amount: z.int(), currency: z.string().min(1) }));

/**
 * Schema of an amount that is typed as {@link Money} and may arrive as whole cents, since the interface document does
 * not say which (gap PAY-10).
 */
export const moneyOrCentsSchema = once(() => z.union([moneySchema(), z.int()]) as unknown as z.ZodType<Money>);
