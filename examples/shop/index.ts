/** The shop and the workbench of the mock service, beside each other: `npm run shop`. Ctrl-C ends both. */
import { startShop } from './start.js';

const { shopUrl, workbenchUrl, close } = await startShop();

console.log(`
  Shop        ${shopUrl}
  Workbench   ${workbenchUrl}

Put both beside each other, and order something. Then let a payment go wrong:

  1. In the workbench, Faults: choose "connection reset after the work", Arm.
     The next payment is charged, and its response is lost.
  2. In the shop, pay. It reads the order, finds the payment, and charges nothing twice.

Gift cards: GIFT-0500, GIFT-2500. Promo codes: SUMMER25, TAKE3, COFFEE50. Ctrl-C ends both.`);

const stop = (): void => {
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  void close();
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
