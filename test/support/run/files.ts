import { readdirSync } from 'node:fs';

/** Of the folders `unit` and `contract`, what has a process of its own: it replaces modules, or changes what all share. */
const APART = [
  'test/unit/contract/import-cost.test.ts',
  'test/unit/errors/instanceof.test.ts',
  'test/unit/http/call-promise.test.ts',
  'test/unit/mock/handlers/priced-once.test.ts',
  'test/unit/otel/otel.test.ts',
  'test/unit/webhooks/delivery/construct-event.test.ts',
  // Engines and processes take long, and so begin early.
  'test/unit/stores/{postgres,redis}.test.ts',
  'test/unit/mock/command/*.test.ts',
  'test/unit/resources/payments/journal/**/{file-journal,lock-processes}.test.ts',
  'test/unit/webhooks/inbox/{bullmq,pg-boss}.test.ts',
];

/**
 * Tests of rules and parts, and of the service in process: some 170 files that leave a process as they found it. They share
 * processes, each of which loads the package once; `leave-no-trace.ts` holds them to it.
 */
export const TOGETHER = { include: ['test/{unit,contract}/**/*.test.ts'], exclude: APART };

const folders = readdirSync(new URL('../../', import.meta.url)).filter(
  (name) => name !== 'unit' && name !== 'contract',
);

/** All others: each file has a process of its own. */
export const ALONE = {
  include: ['test/*.test.ts', `{examples,test/{${folders.join(',')}}}/**/*.test.ts`, ...APART],
};

/** The files that take longest, which begin first: one that began last would be waited for by itself. */
export const LONGEST = [
  'test/certify/every-gap.test.ts',
  'test/workbench/shop.test.ts',
  'test/examples.test.ts',
  'test/workbench/page.test.ts',
  'test/behaviour/payments-killed.test.ts',
  'test/behaviour/store-failures.test.ts',
  'test/behaviour/fleet.test.ts',
  'test/behaviour/split-payment.model.test.ts',
  'test/behaviour/menus-checker-and-service.test.ts',
  'test/examples/fleet.test.ts',
  'test/model/model-1.test.ts',
  'test/model/model-2.test.ts',
  'test/model/model-3.test.ts',
  'test/model/model-4.test.ts',
  'test/certify/two-gaps.test.ts',
  'test/certify/rows.test.ts',
  'test/behaviour/inbox-crash-engines.test.ts',
  'test/behaviour/crash.test.ts',
  'test/behaviour/named-operations-money.test.ts',
  'test/behaviour/undefined-options.test.ts',
];
