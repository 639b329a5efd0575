import { z } from 'zod';
import type { Money } from '../records/money.js';
import { once } from './once.js';
import { record } from './record.js';

/** Schema of {@link Money}. */
export const moneySchema = once(() => record<Money>({ amount: z.int(), currency: z.string().min(1) }));

/**
 * Schema of an amount that is typed as {@link Money} and may arrive as whole cents, since the interface document does
 * not say which (gap PAY-10).
 */
export const moneyOrCentsSchema = once(() => z.union([moneySchema(), z.int()]) as unknown as z.ZodType<Money>);
