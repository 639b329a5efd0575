import { expect, test } from 'vitest';
import type { PaymentMethod } from '../../../../src/contract/index.js';
import { acceptedTenders } from '../../../../src/mock/rules/tenders.js';

const item = (level: string | null, allowed: PaymentMethod[] | null) => ({
  tender_restriction_level: level,
  allowed_tenders: allowed,
});

test('the tenders of a cart are the intersection of its restricted items (cart rule 7)', () => {
  const items = [item('RESTRICTED', ['CASH', 'DEBIT_CARD', 'CREDIT_CARD']), item('RESTRICTED', ['DEBIT_CARD', 'CASH'])];

  expect(acceptedTenders(items)).toEqual(['CASH', 'DEBIT_CARD']);
});

test('items with NONE or null do not constrain it', () => {
  expect(acceptedTenders([item('NONE', ['CASH']), item(null, ['EBT']), item('RESTRICTED', ['CASH'])])).toEqual([
    'CASH',
  ]);
  expect(acceptedTenders([item('NONE', ['CASH']), item(null, null)])).toBeNull();
});

test('a restricted item without a list takes everything', () => {
  expect(acceptedTenders([item('RESTRICTED', null)])).toBeNull();
});

test('unknown future values are treated as unrestricted', () => {
  expect(acceptedTenders([item('RESTRICTED', ['CRYPTO'])])).toBeNull();
  expect(acceptedTenders([item('LATER', ['CASH'])])).toBeNull();
});

test('no single tender may suit all', () => {
  expect(acceptedTenders([item('RESTRICTED', ['CASH']), item('RESTRICTED', ['EBT'])])).toEqual([]);
});
