import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type BodySink, type DecodingError, decoded } from '../../../../src/http/response/decode-content.js';

const TEXT = JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, name: `Item ${id}` })));

interface Reading {
  readonly outcome: Promise<string | DecodingError>;
  readonly body: BodySink;
  readonly received: () => number;
}

function reading(coding: string, maxBytes = 10_000_000): Reading {
  const chunks: Uint8Array[] = [];
  let settle: (outcome: string | DecodingError) => void = () => {};
  const outcome = new Promise<string | DecodingError>((resolve) => {
    settle = resolve;
  });
  const body = decoded(coding, maxBytes, {
    write: (chunk) => void chunks.push(chunk),
    end: () => settle(Buffer.concat(chunks).toString()),
    stop() {},
    fail: settle,
  });
  return { outcome, body, received: () => chunks.reduce((sum, { byteLength }) => sum + byteLength, 0) };
}

function feed({ body }: Reading, bytes: Uint8Array, size: number): void {
  for (let from = 0; from < bytes.length; from += size) body.write(bytes.subarray(from, from + size));
}

const CODINGS: readonly [string, Uint8Array][] = [
  ['gzip', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
];

describe.each(CODINGS)('%s', (coding, compressed) => {
  test.each([1, 1000, 1_000_000])('is decoded from chunks of %i bytes', async (size) => {
    const read = reading(coding);
    feed(read, compressed, size);
    read.body.end();

    expect(await read.outcome).toBe(TEXT);
  });

  test('is decoded while it arrives', async () => {
    const read = reading(coding);
    feed(read, compressed.subarray(0, compressed.length - 1), 1000);
    await expect.poll(() => read.received()).toBeGreaterThan(0);

    read.body.write(compressed.subarray(-1));
    read.body.end();
    expect(await read.outcome).toBe(TEXT);
  });

  test.each([1, 2, 100])('that lacks its last %i bytes is cut short', async (lacking) => {
    const read = reading(coding);
    feed(read, compressed.subarray(0, -lacking), 1000);
    read.body.end();

    expect(await read.outcome).toMatchObject({ reason: 'connection', message: 'The compressed body is cut short.' });
  });

  test('ends at the limit of what it decodes to', async () => {
    const read = reading(coding, TEXT.length - 1);
    feed(read, compressed, 1000);
    read.body.end();

    expect(await read.outcome).toMatchObject({ reason: 'too_large' });
    const exact = reading(coding, TEXT.length);
    feed(exact, compressed, 1000);
    exact.body.end();
    expect(await exact.outcome).toBe(TEXT);
  });
});

test('a body that expands a thousandfold is stopped before its end, and nothing beyond the limit is kept', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const read = reading('gzip', 1_000_000);
  // Its end never comes.
  feed(read, bomb.subarray(0, 10_000), 500);

  expect(await read.outcome).toMatchObject({ reason: 'too_large' });
  expect(read.received()).toBeLessThanOrEqual(1_000_000);
});

test('a coding between two others is bounded as well', async () => {
  const read = reading('br, gzip', 100_000);
  feed(read, gzipSync(brotliCompressSync(Buffer.alloc(300_000))), 100);
  read.body.end();

  expect(await read.outcome).toMatchObject({ reason: 'too_large' });
});

test('what is no such coding is refused, and so are unknown ones and too many', async () => {
  const read = reading('gzip');
  read.body.write(Buffer.from('{"id":1}'));
  read.body.end();
  expect(await read.outcome).toMatchObject({ reason: 'encoding' });

  expect(() => reading('zstd')).toThrow('not known');
  expect(() => reading('gzip, gzip, gzip, gzip')).toThrow('too many');
});

test('nothing comes of a body that is not wanted any more', async () => {
  const read = reading('gzip');
  read.body.write(gzipSync(TEXT));
  read.body.stop();
  read.body.end();

  const outcome = await Promise.race([read.outcome, new Promise((resolve) => setImmediate(resolve, 'nothing'))]);
  expect(outcome).toBe('nothing');
});

test('no coding, or the identity, gives the bytes as they are; an empty body is none', async () => {
  const read = reading('identity');
  read.body.write(Buffer.from('{}'));
  read.body.end();
  expect(await read.outcome).toBe('{}');

  const empty = reading('gzip');
  empty.body.end();
  expect(await empty.outcome).toBe('');
});
