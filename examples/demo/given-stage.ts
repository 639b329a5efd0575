import { readFileSync } from 'node:fs';
import { OnlineOrdering, type Profile } from 'online-ordering-sdk';
import type { Stage } from './stage.js';

/** The service that the environment names. It is sold to for real: use a sandbox. */
export function givenStage(environment: NodeJS.ProcessEnv): Stage {
  const { ONLINE_ORDERING_PROFILE: file } = environment;
  const profile: Profile | undefined = file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'));
  const client = new OnlineOrdering({ deadline: 8_000, logLevel: 'error', profile });
  const token = environment.ONLINE_ORDERING_DEMO_PAYMENT_TOKEN ?? 'tok_approved';
  return {
    client,
    description: `the service at ${environment.ONLINE_ORDERING_BASE_URL}`,
    promoCode: environment.ONLINE_ORDERING_DEMO_PROMO_CODE,
    tenders: [{ payment_method: 'CREDIT_CARD', payment_token: token, amount: 'remaining' }],
    followMs: 4_000,
    close: () => client.close(),
  };
}
