import { createHmac } from 'node:crypto';

/** Header of a delivery ("Events", rule 1). */
export const SIGNATURE_HEADER = 'x-service-signature';

/** HMAC-SHA256 over the raw body, lower-case hex (gap SIG-1). */
export const signBody = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');
