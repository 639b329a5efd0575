import { sortKeys, type Tender } from '../tender-body.js';
import { builtin } from './node-builtin.js';

/** Gift card numbers and PINs can be guessed, so that a plain hash would give them away; this costs 50 ms a guess. */
const COST = { N: 2 ** 14, r: 8, p: 1 } as const;
const SHOWN_BYTES = 24;
const SECRET_BYTES = 32;

/** A tender as the journal may know it. */
export interface TenderDigest {
  /** Tells whether a tender given later is the same instrument; the amount is compared apart. */
  readonly digest: string;
  /** Tells whether a repetition has the bytes of the first request. */
  ofBody(body: object): string;
}

export function newSalt(): string {
  return builtin('node:crypto').randomBytes(16).toString('base64url');
}

/** Digests a tender in a thread of its own. */
export async function digestTender(tender: Tender, salt: string): Promise<TenderDigest> {
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
