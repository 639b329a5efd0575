import { createHmac } from 'node:crypto';
import type { Reading } from '../../profile/gaps.js';
import type { Choices } from '../../profile/profile.js';

/** How deliveries are written and signed (gaps EVT-1 and SIG-1). */
export interface DeliveryDialect {
  /** The bytes of an event, from its own. */
  body(body: string): string;
  /** The value of the signature's header. */
  sign(body: string, secret: string, nowMs: number): string;
}

const ENCODINGS: { readonly [One in Reading<'SIG-1'>]: { encoding: 'hex' | 'base64'; isStamped: boolean } } = {
  hex: { encoding: 'hex', isStamped: false },
  base64: { encoding: 'base64', isStamped: false },
  hex_with_timestamp: { encoding: 'hex', isStamped: true },
  base64_with_timestamp: { encoding: 'base64', isStamped: true },
};

export function deliveryDialect(choices: Choices): DeliveryDialect {
  const { encoding, isStamped } = ENCODINGS[choices['SIG-1'] ?? 'hex'];
  const hmac = (content: string, secret: string): string =>
    createHmac('sha256', secret).update(content).digest(encoding);
  return {
    body: (body) => (choices['EVT-1'] === 'payload' ? withPayload(body) : body),
    sign(body, secret, nowMs) {
      if (!isStamped) return hmac(body, secret);
      const seconds = Math.floor(nowMs / 1000);
      return `t=${seconds},v1=${hmac(`${seconds}.${body}`, secret)}`;
    },
  };
}

function withPayload(body: string): string {
  const { data, ...envelope } = JSON.parse(body) as { data: unknown };
  return JSON.stringify({ ...envelope, payload: data });
}
