/**
 * A customer's order from end to end, over real HTTP: `npm run demo`.
 *
 * It runs against the embedded mock service, or against the service that ONLINE_ORDERING_BASE_URL,
 * ONLINE_ORDERING_CLIENT_ID and ONLINE_ORDERING_CLIENT_SECRET name (use a sandbox: the order is placed and paid there;
 * ONLINE_ORDERING_DEMO_PAYMENT_TOKEN and ONLINE_ORDERING_DEMO_PROMO_CODE say with what). ONLINE_ORDERING_PROFILE names the
 * file in which `online-ordering-sdk certify` wrote what that service chose.
 */
import { customerOrder } from './customer-order.js';
import { embeddedStage } from './embedded-stage.js';
import { givenStage } from './given-stage.js';
import { narrateClient } from './narrate.js';
import { say } from './terminal.js';

const { ONLINE_ORDERING_BASE_URL: address } = process.env;
const startedAt = performance.now();

try {
  const stage = address ? givenStage(process.env) : await embeddedStage();
  try {
    console.log(`An order at ${stage.description}`);
    narrateClient(stage.client);
    await customerOrder(stage);
  } finally {
    await stage.close();
  }
  console.log('');
  say(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
} catch (error) {
  console.error(`\nThe demonstration failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
