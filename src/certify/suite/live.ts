import { CannotTry } from './outcome.js';
import { leftOut, startAfresh } from './runner.js';
import type { SuiteService } from './suite.js';

// Stands in the place of `test/contract/support/live.ts` in the suite that the package carries.

export { CannotTry };

export const isLive = true;

let service: SuiteService | undefined;

/** Rows are tried there from now on. */
export function useService(next: SuiteService): void {
  service = { ...next };
  startAfresh();
}

function current(): SuiteService {
  if (!service) throw new CannotTry('no service was named');
  return service;
}

export const liveCredentials = (): SuiteService['credentials'] => current().credentials;

export const liveFetch: typeof globalThis.fetch = (...args) => current().fetch(...args);

/** The options of `certify` that give a value. */
const OPTIONS: Readonly<Record<string, string>> = {
  payment_token: 'no card was given; see --payment-token',
  promo_code: 'no promo code was given; see --promo-code',
  gift_card_number: 'no gift card was given; see --gift-card',
  loyalty_account_id: 'no loyalty account was given; see --loyalty-account',
  ebt_token: 'no EBT card can be given',
};

/** A value that was given; a sample, which the mock takes, would mean nothing here. */
export function given(name: string, _sample: string): string {
  const value = current().given[name];
  if (value === undefined) throw new CannotTry(OPTIONS[name] ?? `no ${name} was given`);
  return value;
}

export const leavingOut = (control: string) => leftOut(`it takes ${control}`);
