import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkTemplate, fillPath } from '../../../../src/http/request/path.js';

test('each name in braces is replaced by its encoded value', () => {
  expect(fillPath('/carts/{cart_id}/items/{item_id}', { cart_id: 'a b', item_id: 'ü/?#%' })).toBe(
    '/carts/a%20b/items/%C3%BC%2F%3F%23%25',
  );
  expect(fillPath('/orders')).toBe('/orders');
});

test.each([
  ['/a/{id}', {}, 'The path value "id" is missing; it must be a text. Nothing was sent.'],
  ['/a/{id}', { id: 7 }, 'The path value "id" is missing; it must be a text. Nothing was sent.'],
  ['/a/{constructor}', {}, 'The path value "constructor" is missing; it must be a text. Nothing was sent.'],
  [
    '/a/{id}',
    { id: '' },
    'The path value "id" is empty; an empty id would address another resource. Nothing was sent.',
  ],
  [
    '/a',
    { id: '1' },
    'The path value "id" has no place in the path "/a"; write {id} where it belongs. Nothing was sent.',
  ],
])('%s with %j is refused', (template, params, message) => {
  expect(() => fillPath(template, params as Record<string, string>)).toThrow(message);
});

test('no value, however hostile, leaves its segment or the base address', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('.', '..', '/', '\\', '%2e', '%2f', '?', '#', '\r\n', '\t', 'x', '{id}', '$&'), {
        maxLength: 6,
      })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(value, (id) => {
      let path: string;
      try {
        path = fillPath('/carts/{id}/items', { id });
      } catch (error) {
        expect((error as Error).name).toBe('RequestValidationError');
        return;
      }
      const url = new URL(`https://api.example.com/v1${path}`);
      expect(url.pathname).toBe(`/v1${path}`);
      expect(url.pathname.split('/')).toHaveLength(5);
      expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(id);
    }),
    { numRuns: 1000 },
  );
});

test.each(['/orders', '/orders/{order_id}/notes', '/a.b/c-d/e_f', '/orders/{order_id}'])(
  'the template %s is fine',
  (template) => {
    expect(() => checkTemplate(template)).not.toThrow();
  },
);

test.each([
  '',
  'orders',
  '//x',
  '/a//b',
  '/a/../b',
  '/a/./b',
  '/..',
  '/a?b',
  '/a#b',
  '/a%2fb',
  '/a\\b',
  '/a b',
  '/a\n',
  '/{a',
  '/a}',
  '/{{a}}',
  null,
  7,
])('the template %j is refused', (template) => {
  expect(() => checkTemplate(template)).toThrow('The "path" of the request must be a path below the base address');
});
