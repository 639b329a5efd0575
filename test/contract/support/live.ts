import { test } from 'vitest';

// Where the suite runs against a service that is not a mock of its own. `online-ordering-sdk certify` ships the suite with
// another module in place of this one: `src/certify/suite/live.ts`, which exports the same names.

const { ONLINE_ORDERING_BASE_URL, ONLINE_ORDERING_CLIENT_ID, ONLINE_ORDERING_CLIENT_SECRET } = process.env;
const { ONLINE_ORDERING_PAYMENT_TOKEN, ONLINE_ORDERING_PROMO_CODE } = process.env;

/** True when the suite is pointed at a real service by the three variables. */
export const isLive = Boolean(ONLINE_ORDERING_BASE_URL && ONLINE_ORDERING_CLIENT_ID && ONLINE_ORDERING_CLIENT_SECRET);

const credentials = {
  baseUrl: (ONLINE_ORDERING_BASE_URL ?? '').replace(/\/$/, ''),
  clientId: ONLINE_ORDERING_CLIENT_ID ?? '',
  clientSecret: ONLINE_ORDERING_CLIENT_SECRET ?? '',
};

/** Those of the service that the environment names; the same object for the same service. */
export const liveCredentials = () => credentials;

export const liveFetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);

/** Values of the service that no row can find out by asking. */
const GIVEN: Readonly<Record<string, string | undefined>> = {
  payment_token: ONLINE_ORDERING_PAYMENT_TOKEN,
  promo_code: ONLINE_ORDERING_PROMO_CODE,
};

/** The value that was given for a real service, or else one that the mock takes. */
export const given = (name: string, sample: string): string => GIVEN[name] ?? sample;

/** Why a row cannot be tried at this service. */
export class CannotTry extends Error {}

const announced = new Set<string>();

/** Leaves out the rows of a real service that need something no partner can do to it. */
export function leavingOut(control: string): typeof test {
  if (!announced.has(control)) {
    announced.add(control);
    console.info(`Skipped against a real service: rows that need ${control}.`);
  }
  return test.skip as typeof test;
}
