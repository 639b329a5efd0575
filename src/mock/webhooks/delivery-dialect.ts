import { createHmac } from 'node:crypto';
import type { Reading } from '../../profile/gaps.js';
import type { Choices } from '../../profile/profile.js';

/** How deliveries are written and signed (gaps EVT-1 and SIG-1). */
export interface DeliveryDialect {
  /** The bytes of an event, from its own. */
  body(body: string): string;
  /** The value of the signature's header, and the time stamp where that has a header of its own. */
  sign(body: string, secret: string, nowMs: number): Signed;
}

export interface Signed {
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TIMESTAMP_HEADER = 'x-service-timestamp';

type Stamp = 'none' | 'inside' | 'header';

const ENCODINGS: { readonly [One in Reading<'SIG-1'>]: { encoding: 'hex' | 'base64'; stamp: Stamp } } = {
  hex: { encoding: 'hex', stamp: 'none' },
  base64: { encoding: 'base64', stamp: 'none' },
  hex_with_timestamp: { encoding: 'hex', stamp: 'inside' },
  base64_with_timestamp: { encoding: 'base64', stamp: 'inside' },
  hex_with_timestamp_header: { encoding: 'hex', stamp: 'header' },
  base64_with_timestamp_header: { encoding: 'base64', stamp: 'header' },
};

export function deliveryDialect(choices: Choices): DeliveryDialect {
  const { encoding, stamp } = ENCODINGS[choices['SIG-1'] ?? 'hex'];
  const hmac = (content: string, secret: string): string =>
    createHmac('sha256', secret).update(content).digest(encoding);
  return {
    body: (body) => (choices['EVT-1'] === 'payload' ? withPayload(body) : body),
    sign(body, secret, nowMs): Signed {
      if (stamp === 'none') return { signature: hmac(body, secret), headers: {} };
      const seconds = Math.floor(nowMs / 1000);
      const signature = hmac(`${seconds}.${body}`, secret);
      if (stamp === 'header') return { signature, headers: { [TIMESTAMP_HEADER]: String(seconds) } };
      return { signature: `t=${seconds},v1=${signature}`, headers: {} };
    },
  };
}

function withPayload(body: string): string {
  const { data, ...envelope } = JSON.parse(body) as { data: unknown };
  return JSON.stringify({ ...envelope, payload: data });
}
