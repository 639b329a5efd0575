import { sortKeys, type Tender } from '../resources/payment-request.js';
import { builtin } from './node-builtin.js';

/** Gift card numbers and PINs can be guessed, so that a plain hash would give them away; this costs 50 ms a guess. */
const COST = { N: 2 ** 14, r: 8, p: 1 } as const;
const LENGTH_BYTES = 24;

export function newSalt(): string {
  return builtin('node:crypto').randomBytes(16).toString('base64url');
}

/** Tells whether a tender given later is the same instrument; the amount is compared apart. */
export function tenderDigest(tender: Tender, salt: string): Promise<string> {
  const { amount: _, ...instrument } = tender;
  return digest(JSON.stringify(sortKeys(instrument)), `${salt}.tender`);
}

/** Tells whether a repetition has the bytes of the first request. */
export function bodyDigest(body: object, salt: string): Promise<string> {
  return digest(JSON.stringify(body), `${salt}.body`);
}

function digest(text: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    builtin('node:crypto').scrypt(text.normalize(), salt, LENGTH_BYTES, COST, (error, key) => {
      if (error) reject(error);
      else resolve(key.toString('base64url'));
    });
  });
}
