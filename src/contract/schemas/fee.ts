import { z } from 'zod';
import { FEE_TYPES, type Fee } from '../records/fee.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';

/** Schema of {@link Fee}. */
export const feeSchema = once(() =>
  record<Fee>({ type: openEnum(FEE_TYPES), name: z.string().optional(), amount: moneySchema() }),
);
