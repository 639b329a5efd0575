import { OnlineOrdering } from 'online-ordering-sdk';
import type { Stage } from './stage.js';

/** The service that the environment names. It is sold to for real: use a sandbox. */
export function givenStage(environment: NodeJS.ProcessEnv): Stage {
  const client = new OnlineOrdering({ deadline: 8_000, logLevel: 'error' });
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
