import { TENDER_TYPES, WEBHOOK_EVENT_TYPES } from 'online-ordering-sdk/contract';
import { expect, test } from 'vitest';
import { TENDERS } from '../../../../src/mock/rules/tenders.js';
import { EVENT_TYPES } from '../../../../src/mock/webhooks/event-types.js';

test('the contract and the mock know the same tenders and event types, each from its own reading', () => {
  expect(TENDERS).toEqual(TENDER_TYPES);
  expect(EVENT_TYPES).toEqual(WEBHOOK_EVENT_TYPES);
});
