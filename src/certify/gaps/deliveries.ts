import { createHmac } from 'node:crypto';
import { CannotTry, Differs } from '../result.js';
import type { CapturedDelivery, Scene } from '../scene.js';
import { type Deciders, nameIn } from './decider.js';

/** One delivery, captured once. */
async function delivery(scene: Scene): Promise<CapturedDelivery> {
  const captured = await scene.keep('delivery', async () => scene.settings.delivery?.(scene));
  if (captured) return captured;
  throw new CannotTry('no delivery was captured; see --delivery and --webhook-url');
}

const hmac = (content: string, secret: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', secret).update(content).digest(encoding);

const withoutPadding = (text: string): string => text.replace(/=+$/, '');
const isSame = (signature: string, expected: string): boolean =>
  withoutPadding(signature.replaceAll('-', '+').replaceAll('_', '/')) === withoutPadding(expected);

/** How a signature was made, or `undefined` when in no way that is known here. */
function signedAs(signature: string, content: string, secret: string): 'hex' | 'base64' | undefined {
  const value = signature.trim().replace(/^sha256=/i, '');
  if (value.toLowerCase() === hmac(content, secret, 'hex')) return 'hex';
  return isSame(value, hmac(content, secret, 'base64')) ? 'base64' : undefined;
}

const TIMESTAMP_HEADER = 'x-service-timestamp';

/** A signature over `<time stamp>.<body>` whose time stamp is in another header. */
function signedApart(
  headers: CapturedDelivery['headers'],
  signature: string,
  { body, secret }: Pick<CapturedDelivery, 'body' | 'secret'>,
): { header: string; encoding: 'hex' | 'base64' } | undefined {
  for (const [header, value] of Object.entries(headers)) {
    const encoding = /^\d{9,14}$/.test(value) ? signedAs(signature, `${value}.${body}`, secret) : undefined;
    if (encoding) return { header, encoding };
  }
  return undefined;
}

export const DELIVERY_DECIDERS = {
  'EVT-1': {
    about: 'content of an event',
    readings: { data: 'called `data`', payload: 'called `payload`' },
    async decide(scene) {
      const { body } = await delivery(scene);
      try {
        return nameIn(JSON.parse(body) as unknown, ['data', 'payload'], 'event');
      } catch (error) {
        throw error instanceof SyntaxError ? new Differs('the delivery is no JSON') : error;
      }
    },
  },
  'SIG-1': {
    about: 'signature of a delivery',
    readings: {
      hex: 'hex of the HMAC over the body',
      base64: 'base64 of the HMAC over the body',
      hex_with_timestamp: 'hex with a time stamp: `t=…,v1=…` over `<time stamp>.<body>`',
      base64_with_timestamp: 'base64 with a time stamp: `t=…,v1=…` over `<time stamp>.<body>`',
      hex_with_timestamp_header: 'hex over `<time stamp>.<body>`, the time stamp in X-Service-Timestamp',
      base64_with_timestamp_header: 'base64 over `<time stamp>.<body>`, the time stamp in X-Service-Timestamp',
    },
    async decide(scene) {
      const { headers, body, secret } = await delivery(scene);
      const value = headers['x-service-signature'];
      if (value === undefined) throw new Differs('the delivery has no header X-Service-Signature');
      const plain = signedAs(value, body, secret);
      if (plain) return plain;
      const parts = Object.fromEntries(value.split(',').map((part) => part.trim().split(/=(.*)/s) as [string, string]));
      const stamped = parts.t && parts.v1 ? signedAs(parts.v1, `${parts.t}.${body}`, secret) : undefined;
      if (stamped) return `${stamped}_with_timestamp`;
      const apart = signedApart(headers, value, { body, secret });
      if (apart?.header === TIMESTAMP_HEADER) return `${apart.encoding}_with_timestamp_header`;
      if (apart) {
        throw new Differs(
          `the time stamp stands in the header ${apart.header}: give the receiver the scheme timestampedSignature({ timestampHeader: '${apart.header}' })`,
        );
      }
      throw new Differs(
        'the signature is none of the readings: is it the secret of this subscription, and the raw body?',
      );
    },
  },
} as const satisfies Deciders;
