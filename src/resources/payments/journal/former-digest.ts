import { sortKeys, type Tender } from '../tender-body.js';
import { builtin } from './node-builtin.js';

/** Release 0.1.0 kept no key, and made each guess cost 50 ms instead. */
const COST = { N: 2 ** 14, r: 8, p: 1 } as const;
const SHOWN_BYTES = 24;
const SECRET_BYTES = 32;

/** A tender as release 0.1.0 noted it. */
export interface FormerDigest {
  readonly digest: string;
  ofBody(body: object): string;
}

/** Digests a tender in a thread of its own, for records that release 0.1.0 began. */
export async function digestTender(tender: Tender, salt: string): Promise<FormerDigest> {
  const { amount: _, ...instrument } = tender;
  const derived = await derive(JSON.stringify(sortKeys(instrument)), salt);
  // The rest is written nowhere: whoever reads the journal has to pay for each guess at a body, too.
  const secret = derived.subarray(SHOWN_BYTES);
  return {
    digest: derived.subarray(0, SHOWN_BYTES).toString('base64url'),
    ofBody: (body) =>
      builtin('node:crypto').createHmac('sha256', secret).update(JSON.stringify(body)).digest('base64url'),
  };
}

function derive(text: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    builtin('node:crypto').scrypt(text.normalize(), salt, SHOWN_BYTES + SECRET_BYTES, COST, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
