import { describe, expect, test } from 'vitest';
import { ContractCheck } from '../../../../src/http/contract/contract-check.js';
import { operationOf } from '../../../../src/http/exchange/operation.js';
import { cart } from '../../../support/records/index.js';

const CARTS = operationOf('GET', '/carts/{cart_id}');
const broken = { ...cart, id: 5 };

describe.each(['report', 'strict'] as const)('%s', (validation) => {
  test('looks at every response, however many have fitted before', async () => {
    const check = new ContractCheck(validation);
    for (let response = 0; response < 500; response += 1) expect(check.differences(CARTS, cart)).toBeUndefined();

    expect(await check.differences(CARTS, broken)).toEqual([{ path: 'id', kind: 'invalid_type' }]);
  });

  test('names twenty differences at most', async () => {
    const items = Array.from({ length: 100 }, () => ({}));

    expect(await new ContractCheck(validation).differences(CARTS, { ...cart, items })).toHaveLength(20);
  });

  test('a deletion without the record that the contract names differs as a whole', async () => {
    const removal = operationOf('DELETE', '/carts/{cart_id}/items/{item_id}');

    expect(await new ContractCheck(validation).differences(removal, undefined)).toEqual([{ path: '', kind: 'empty' }]);
  });

  test('compares nothing where the contract says nothing', () => {
    const check = new ContractCheck(validation);

    expect(check.differences(operationOf('GET', '/novelties'), 5)).toBeUndefined();
    expect(check.differences(operationOf('DELETE', '/carts/{cart_id}'), undefined)).toBeUndefined();
  });
});

test('off looks at none', () => {
  expect(new ContractCheck('off').differences(CARTS, broken)).toBeUndefined();
});
