import { expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.js';
import { endpoints } from '../../../src/endpoints/endpoints.js';
import { operationNamed, operationOf } from '../../../src/http/exchange/operation.js';
import { routes } from '../../../src/mock/routes.js';

const names = Object.keys(endpoints) as (keyof typeof endpoints)[];

test('the client, the contract and the mock list the same endpoints, each from its own reading', () => {
  const ofTheMock = routes.map(({ method, path }) => `${method} ${path}`);

  expect(ofTheMock.toSorted()).toEqual(names.toSorted());
  expect(Object.keys(operations).toSorted()).toEqual(names.toSorted());
});

test('what moves money, and what may be sent again under its key, is written down', () => {
  const ofKind = (kind: string) => names.filter((name) => endpoints[name].kind === kind);

  expect(ofKind('money')).toEqual(['POST /orders/{order_id}/payments', 'POST /orders/{order_id}/refunds']);
  expect(ofKind('token')).toEqual(['POST /auth/token']);
  expect(ofKind('read').filter((name) => !name.startsWith('GET '))).toEqual(['POST /carts/{cart_id}/calculate']);
  expect(ofKind('write').filter((name) => name.startsWith('GET '))).toEqual([]);
});

test('every deletion may be empty, and nothing else', () => {
  const mayBeEmpty = names.filter((name) => operationNamed(name).mayBeEmpty);

  expect(mayBeEmpty).toEqual(names.filter((name) => name.startsWith('DELETE ')));
});

test('an endpoint is one operation, by its name and by its path', () => {
  for (const name of names) {
    const [method = '', template = ''] = name.split(' ');
    expect(operationNamed(name)).toBe(operationOf(method, template));
  }
});
