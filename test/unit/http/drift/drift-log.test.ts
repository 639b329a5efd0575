import { expect, test } from 'vitest';
import { announced } from '../../../../src/http/drift/announced.js';
import { DriftLog } from '../../../../src/http/drift/drift-log.js';

const NOON = Date.parse('2026-03-10T12:00:00Z');

function at(...times: number[]) {
  let now = NOON;
  const log = new DriftLog({ now: () => now });
  return { log, advance: (ms: number) => (now += ms), times };
}

test('a drift is told once for its kind and place, and counted from then on', () => {
  const { log, advance } = at();
  const issue = { path: 'data[0].status', kind: 'new_value' };

  expect(log.fresh('GET /orders', [issue, { ...issue, path: 'data[7].status' }])).toEqual([issue]);
  advance(60_000);
  expect(log.fresh('GET /orders', [{ ...issue, path: 'data[3].status' }])).toEqual([]);

  expect(log.summary()).toEqual([
    {
      operation: 'GET /orders',
      path: 'data[].status',
      kind: 'new_value',
      count: 3,
      firstSeen: '2026-03-10T12:00:00.000Z',
      lastSeen: '2026-03-10T12:01:00.000Z',
    },
  ]);
});

test('another kind, another place and another operation are told too', () => {
  const { log } = at();
  const issue = { path: 'total', kind: 'sum' };
  log.fresh('GET /orders/{order_id}', [issue]);

  expect(log.fresh('GET /orders/{order_id}', [{ ...issue, kind: 'invalid_type' }])).toHaveLength(1);
  expect(log.fresh('GET /orders/{order_id}', [{ ...issue, path: 'subtotal' }])).toHaveLength(1);
  expect(log.fresh('GET /carts/{cart_id}', [issue])).toHaveLength(1);
});

test('a service that invents names without end fills no memory: the rest is one entry, told once', () => {
  const { log } = at();
  let told = 0;
  for (let name = 0; name < 10_000; name += 1) {
    told += log.fresh('GET /locations', [{ path: `names.${'x'.repeat(1000)}${name}`.slice(-900), kind: 'sum' }]).length;
    told += log.fresh('GET /locations', [{ path: `name${name}`, kind: 'sum' }]).length;
  }

  const summary = log.summary();
  expect(summary).toHaveLength(501);
  expect(told).toBe(501);
  expect(summary.at(-1)).toMatchObject({ operation: '*', kind: 'further' });
  expect(Math.max(...summary.map(({ path }) => path.length))).toBeLessThanOrEqual(200);
  expect(summary.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
});

test.each([
  [{}, []],
  [{ deprecation: '@1688169599' }, ['header deprecation deprecated']],
  [{ sunset: 'Wed, 11 Nov 2026 11:11:11 GMT' }, ['header sunset deprecated']],
  [{ 'x-api-version': '1.0.0' }, []],
  [{ 'x-api-version': 'v1' }, []],
  [{ 'api-version': '1.0' }, []],
  [{ 'x-interface-version': '1.1.0' }, ['header x-interface-version version']],
  [{ 'api-version': '2026-01-01' }, ['header api-version version']],
])('the headers %j announce %j', (headers, expected) => {
  expect(announced(headers as Record<string, string>).map(({ path, kind }) => `${path} ${kind}`)).toEqual(expected);
});
