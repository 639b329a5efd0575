import { z } from 'zod';
import { CHANGE_REASONS } from '../records/checkout.js';
import { ERROR_CODES, type ErrorBody, type ErrorEnvelope } from '../records/error-envelope.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';

/** Schema of {@link ErrorEnvelope}. */
export const errorEnvelopeSchema = once(() =>
  record<ErrorEnvelope>({
    error: record<ErrorBody>({
      code: openEnum(ERROR_CODES),
      message: z.string(),
      detail: z.string().nullish(),
      request_id: z.string(),
      field: z.string().nullish(),
      change_reasons: z.array(openEnum(CHANGE_REASONS)).optional(),
    }),
  }),
);
