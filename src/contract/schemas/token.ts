import { z } from 'zod';
import { TOKEN_TYPES, type TokenRequest, type TokenResponse } from '../records/token.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';
import { explain, uuid } from './scalars.js';

/** Schema of {@link TokenRequest}. */
export const tokenRequestSchema = once(() => {
  const secret = explain('the client secret: text that is not empty');
  return record<TokenRequest>(
    {
      grant_type: z.literal('CLIENT_CREDENTIALS', { error: explain("'CLIENT_CREDENTIALS'") }),
      client_id: uuid('the client id of the partner'),
      client_secret: z.string({ error: secret }).min(1, { error: secret }),
    },
    { error: explain('an object with `grant_type`, `client_id` and `client_secret`') },
  );
});

/** Schema of {@link TokenResponse}. */
export const tokenResponseSchema = once(() =>
  record<TokenResponse>({
    access_token: z.string().min(1),
    token_type: openEnum(TOKEN_TYPES),
    expires_in: z.int(),
  }),
);
