import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { contractFiles } from '../../build/contract/files.js';
import { operations } from '../../src/contract/index.js';
import { endpoints } from '../../src/endpoints/endpoints.js';
import { SCENARIOS } from '../../src/errors/scenario.js';

type Json = { [Key: string]: Json };

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const committed = parse(read('../../docs/openapi.yaml')) as Json;
const schemas = JSON.parse(read('../../docs/contract.schema.json')) as Json;
const gaps = read('../../docs/interface-gaps.md');

/** Every value that stands under `key`, wherever. */
function everywhere(key: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, inner]) => (name === key ? [inner] : everywhere(key, inner)));
}

const operationOf = (name: string): Json => {
  const [method = '', path = ''] = name.split(' ');
  return committed.paths![path]![method.toLowerCase()]!;
};

test('docs/openapi.yaml and docs/contract.schema.json are what the code says (`npm run contract` writes them anew)', async () => {
  for (const { path, content } of await contractFiles()) {
    expect(readFileSync(path, 'utf8') === content, `${path} has parted from the code: npm run contract`).toBe(true);
  }
});

describe('The OpenAPI document', () => {
  test('is of version 3.1, has every endpoint with an id of its own, and no other', () => {
    const names = Object.entries(committed.paths!).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const ids = everywhere('operationId', committed);

    expect(committed.openapi).toBe('3.1.0');
    expect(names.sort()).toEqual(Object.keys(endpoints).sort());
    expect(new Set(ids).size).toBe(names.length + 6);
  });

  test('asks for a key where the document does, and takes one where it is supported', () => {
    const keyOf = (name: string) =>
      (operationOf(name).parameters as unknown as Json[] | undefined)?.find(
        ({ $ref, name: header }) =>
          String($ref).endsWith('IdempotencyKey') || (header as unknown as string) === 'Idempotency-Key',
      );

    for (const [name, { kind }] of Object.entries(endpoints)) {
      expect(keyOf(name) !== undefined, name).toBe(kind === 'write' || kind === 'money');
    }
    expect(keyOf('PATCH /carts/{cart_id}')).toMatchObject({ required: false });
  });

  test('has the six events as webhooks, each signed', () => {
    expect(Object.keys(committed.webhooks!)).toEqual([
      'order.created',
      'order.status_changed',
      'order.cancelled',
      'stock.updated',
      'menu.changed',
      'location.hours_changed',
    ]);
    for (const { post } of Object.values(committed.webhooks!)) {
      expect(post!.parameters).toMatchObject([{ name: 'X-Service-Signature', in: 'header', required: true }]);
    }
  });

  test('has an example of every situation behind an error', () => {
    const named = new Set(everywhere('examples', committed).flatMap((examples) => Object.keys(examples as object)));
    // What a proxy answers, and what has no name, are nothing that the service says.
    const own = SCENARIOS.filter((name) => name !== 'blocked_on_the_way' && name !== 'unknown');

    expect(own.filter((name) => !named.has(name))).toEqual([]);
  });

  test.each(Object.entries(operations))(
    '%s: its examples are what the schemas of the client take',
    (name, contract) => {
      const { requestBody, responses } = operationOf(name);
      const examplesOf = (part: Json | undefined) =>
        Object.entries(part?.content?.['application/json']?.examples ?? {}).map(([label, { value }]) => [label, value]);
      const success = Object.entries(responses!).find(([status]) => status.startsWith('2'))![1];

      for (const [schema, part] of [
        [contract.request, requestBody],
        [contract.response, success],
      ] as const) {
        const examples = examplesOf(part);
        expect(examples.length > 0).toBe(schema !== undefined);
        for (const [label, value] of examples) {
          expect(schema!().safeParse(value).error?.issues ?? [], `${name}, ${label}`).toEqual([]);
        }
      }
    },
  );

  test('names rows of docs/interface-gaps.md only', () => {
    const rows = new Set((everywhere('x-gap', committed) as string[][]).flat());

    expect(rows.size).toBeGreaterThan(60);
    expect([...rows].filter((row) => !gaps.includes(`| ${row} |`))).toEqual([]);
  });

  test('says in words what every record is, and every field of it', () => {
    const records = Object.entries(committed.components!.schemas!);
    const silent = records.flatMap(([name, schema]) => [
      ...(schema.description === undefined ? [name] : []),
      ...Object.entries(schema.properties ?? {})
        .filter(([, { description }]) => description === undefined)
        .map(([field]) => `${name}.${field}`),
    ]);

    expect(silent).toEqual([]);
  });
});

describe('The schemas', () => {
  const of = (name: string): Json => schemas.$defs![name]!;

  test('keep the known values of open enumerations, and let others through', () => {
    expect(of('OrderStatus').anyOf).toEqual([
      { type: 'string', enum: ['PENDING', 'CONFIRMED', 'COMPLETED', 'FAILED', 'VOIDED', 'CANCELLED'] },
      { type: 'string', description: expect.any(String) },
    ]);
  });

  test('keep formats: UUIDs, date-times, decimal text and addresses', () => {
    expect(of('Cart').properties!.id).toMatchObject({ type: 'string', format: 'uuid' });
    expect(of('Cart').properties!.created_at).toMatchObject({ type: 'string', format: 'date-time' });
    expect(of('DiscountLineItem').properties!.value).toMatchObject({ type: 'string', format: 'decimal' });
    expect(of('CreateCartRequest').properties!.location_id).toMatchObject({ type: 'string', format: 'uuid' });
    expect(of('WebhookSubscription').properties!.url).toMatchObject({ type: 'string', format: 'uri' });
  });

  test('tell Money from whole cents, as the document does', () => {
    expect(of('Cart').properties!.total).toMatchObject({ $ref: '#/$defs/Money' });
    expect(of('Money').properties!.amount).toMatchObject({ type: 'integer' });
    expect(of('RefundRequest').properties!.amount).toMatchObject({ type: 'integer', minimum: 0 });
    expect(of('CheckoutRequest').properties!.expected_total).toMatchObject({ type: 'integer', minimum: 0 });
  });

  test('keep limits, and refuse what a handoff body may not have', () => {
    const options = of('HandoffModeRequest').oneOf as unknown as Json[];

    expect(JSON.stringify(of('CartItemRequest').properties!.special_instructions)).toContain('"maxLength":200');
    expect(options.map(({ additionalProperties }) => additionalProperties)).toEqual([false, false, false, false]);
  });

  test('are read back by another implementation of JSON Schema as the same rules', () => {
    const cartItem = z.fromJSONSchema({ ...schemas, $ref: '#/$defs/CartItemRequest' } as never);
    const item = { menu_item_id: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11', quantity: 1, modifier_selections: [] };

    expect(cartItem.safeParse(item).success).toBe(true);
    expect(cartItem.safeParse({ ...item, quantity: 0 }).success).toBe(false);
    expect(cartItem.safeParse({ ...item, menu_item_id: 'coffee' }).success).toBe(false);
  });
});
