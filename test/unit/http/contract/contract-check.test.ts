import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ContractCheck } from '../../../../src/http/contract/contract-check.js';
import { operationOf } from '../../../../src/http/exchange/operation.js';

const ORDERS = operationOf('GET', '/orders');
const CARTS = operationOf('GET', '/carts/{cart_id}');

/** A contract that counts how often it is looked at. */
function countingContract() {
  const looks = { count: 0 };
  const schema = z.object({ id: z.string() });
  const contract = {
    response: () => {
      looks.count += 1;
      return schema;
    },
  };
  return { looks, contract };
}

function answerTimes(check: ContractCheck, contract: ReturnType<typeof countingContract>['contract'], times: number) {
  for (let time = 0; time < times; time += 1) check.differences(ORDERS, contract, { id: 'a' });
}

describe('report', () => {
  test('looks at each of the first hundred answers of an operation', () => {
    const { looks, contract } = countingContract();

    answerTimes(new ContractCheck('report'), contract, 100);

    expect(looks.count).toBe(100);
  });

  test('then looks at every eighth, and finds a change of the service within eight answers', () => {
    const { looks, contract } = countingContract();
    const check = new ContractCheck('report');
    answerTimes(check, contract, 180);
    const found: number[] = [];

    for (let answer = 1; answer <= 16; answer += 1) {
      if (check.differences(ORDERS, contract, { id: 5 }).length > 0) found.push(answer);
    }

    expect(looks.count).toBeLessThan(130);
    expect(found[0]).toBeLessThanOrEqual(8);
    expect(found).toHaveLength(16 - (found[0] as number) + 1); // after one difference each answer is looked at
  });

  test('trusts no operation for what another has answered', () => {
    const { contract } = countingContract();
    const check = new ContractCheck('report');
    answerTimes(check, contract, 101);

    expect(check.differences(CARTS, contract, { id: 5 })).toEqual([{ path: 'id', kind: 'invalid_type' }]);
  });
});

test('strict looks at every answer', () => {
  const { looks, contract } = countingContract();

  answerTimes(new ContractCheck('strict'), contract, 300);

  expect(looks.count).toBe(300);
});

test('off looks at none', () => {
  const { looks, contract } = countingContract();

  answerTimes(new ContractCheck('off'), contract, 10);

  expect(looks.count).toBe(0);
});
