import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BodyText, textOf } from '../../../../src/http/response/body-text.js';

/** Texts with letters of one to four bytes, longer than what is decoded at a time. */
const texts = fc
  .array(fc.constantFrom('plain letters ', 'ñ', '°', '™', '漢字', '🥪', '\u{fffd}'), { minLength: 1, maxLength: 1500 })
  .map((pieces) => pieces.join(''));

function inChunks(bytes: Uint8Array, sizes: readonly number[], contentType?: string): string {
  const text = new BodyText(contentType);
  let from = 0;
  for (let turn = 0; from < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    text.add(bytes.subarray(from, from + size));
    from += size;
  }
  return text.end();
}

describe('Text that arrives in chunks', () => {
  test('is the same wherever it is cut', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(9000), { minLength: 1, maxLength: 9 }), (text, sizes) => {
        const bytes = Buffer.from(text);
        expect(inChunks(bytes, sizes)).toBe(text);
        expect(textOf(bytes, undefined)).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  test('that is no UTF-8 reads as it does in one piece', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(fc.nat(5), { minLength: 1 }), (bytes, sizes) => {
        expect(inChunks(bytes, sizes)).toBe(Buffer.from(bytes).toString('utf8'));
      }),
      { numRuns: 500 },
    );
    const half = new Uint8Array(20_000).fill(0x80);
    expect(textOf(half, undefined)).toBe('\u{fffd}'.repeat(20_000));
  });

  test('a byte at a time takes no hundred times its length', () => {
    const bytes = Buffer.alloc(2_000_000, 'a');
    const text = new BodyText('application/json');
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < bytes.length; at += 1) text.add(bytes.subarray(at, at + 1));

    expect(process.memoryUsage().heapUsed - before).toBeLessThan(120e6);
    expect(text.end()).toBe(bytes.toString());
  });

  test('in another character set is read by that', () => {
    expect(inChunks(Buffer.from('Jalape\u00f1o', 'latin1'), [3], 'application/json; charset=iso-8859-1')).toBe(
      'Jalapeño',
    );
    expect(inChunks(Buffer.from('ñ', 'utf16le'), [1], 'application/json; charset=utf-16le')).toBe('ñ');
    expect(() => new BodyText('application/json; charset=none')).toThrow(RangeError);
  });
});
