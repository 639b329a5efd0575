import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/mock/refusals/refusal.js';
import { readCartItem } from '../../../../src/mock/rules/cart-item.js';
import { readCheckout } from '../../../../src/mock/rules/checkout.js';
import { readHandoff } from '../../../../src/mock/rules/handoff.js';

const UUID = '6f1f2c60-0c1a-4c55-8b0e-2a4d8a3f9b11';

/** What a JSON parser may hand over, with the names of the interface document among the keys. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, 1, -1, 1.5, 1e308, '', UUID, 'PICKUP', 'DELIVERY', 'CURBSIDE', '__proto__'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'mode',
        'menu_item_id',
        'quantity',
        'modifier_selections',
        'nested_selections',
        'modifier_group_id',
        'modifier_id',
        'special_instructions',
        'delivery_address',
        'pickup_time',
        'handoff_mode',
        'expected_total',
        'toString',
        '__proto__',
      ),
      tie('value'),
      { maxKeys: 6 },
    ),
  ),
})).value;

describe('whatever a body holds, it is read or refused, and never breaks the service', () => {
  test.each([
    ['cart item', readCartItem],
    ['handoff', (body: unknown) => readHandoff(body)],
    ['checkout', readCheckout],
  ])('%s', (_, read) => {
    fc.assert(
      fc.property(json, (body) => {
        try {
          read(body);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect([400, 422]).toContain((error as Refusal).facts.status);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('selections nested ten thousand deep are refused', () => {
    let selections: unknown[] = [];
    for (let level = 0; level < 10_000; level += 1) {
      selections = [{ modifier_group_id: UUID, modifier_id: UUID, quantity: 1, nested_selections: selections }];
    }

    expect(() => readCartItem({ menu_item_id: UUID, quantity: 1, modifier_selections: selections })).toThrow(Refusal);
  });
});
