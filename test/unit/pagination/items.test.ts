import { expect, test } from 'vitest';
import { Items } from '../../../src/pagination/items.js';

interface Walk {
  readonly items: AsyncGenerator<number, void, undefined>;
  /** What happened to the pages. */
  readonly seen: string[];
}

/** Pages of numbers; a page that is an error is thrown. */
function walk(pages: readonly (readonly number[] | Error)[]): Walk {
  const seen: string[] = [];
  async function* given() {
    try {
      for (const [index, data] of pages.entries()) {
        await Promise.resolve();
        if (data instanceof Error) throw data;
        seen.push(`page ${index + 1}`);
        yield { data };
      }
    } finally {
      seen.push('end');
    }
  }
  return { items: new Items(given()), seen };
}

/** What an async generator of the same items gives. */
async function* generator(pages: readonly (readonly number[])[]) {
  for (const page of pages) for (const item of page) yield item;
}

const PAGES = [[1, 2], [], [3]];

test('the items of all pages come in their order, and a page is asked for when the one before it is used up', async () => {
  const { items, seen } = walk(PAGES);

  expect([await items.next(), await items.next()]).toEqual([
    { value: 1, done: false },
    { value: 2, done: false },
  ]);
  expect(seen).toEqual(['page 1']);
  expect([await items.next(), await items.next(), await items.next()]).toEqual([
    { value: 3, done: false },
    { value: undefined, done: true },
    { value: undefined, done: true },
  ]);
  expect(seen).toEqual(['page 1', 'page 2', 'page 3', 'end']);
});

test('items that are asked for at once come as from a generator', async () => {
  const atOnce = (given: AsyncGenerator<number, void, undefined>) =>
    Promise.all(Array.from({ length: 5 }, () => given.next()));

  expect(await atOnce(walk(PAGES).items)).toEqual(await atOnce(generator(PAGES)));
});

test('a loop that stops ends the pages, and nothing comes afterwards', async () => {
  const { items, seen } = walk(PAGES);

  for await (const item of items) if (item === 1) break;

  expect(seen).toEqual(['page 1', 'end']);
  expect(await items.next()).toEqual({ value: undefined, done: true });
});

test('`return` comes after what was asked for before it', async () => {
  const { items } = walk(PAGES);

  expect(await Promise.all([items.next(), items.return(), items.next()])).toEqual([
    { value: 1, done: false },
    { value: undefined, done: true },
    { value: undefined, done: true },
  ]);
});

test('`throw` ends the pages, and fails with what was given to it', async () => {
  const { items, seen } = walk(PAGES);
  await items.next();

  await expect(items.throw(new Error('enough'))).rejects.toThrow('enough');

  expect(seen).toEqual(['page 1', 'end']);
  expect(await items.next()).toEqual({ value: undefined, done: true });
});

test('a page that fails fails the item that needs it, and nothing comes afterwards', async () => {
  const { items } = walk([[1], new Error('no page')]);
  await items.next();

  const [failed, after] = await Promise.allSettled([items.next(), items.next()]);

  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'no page' } });
  expect(after).toEqual({ status: 'fulfilled', value: { value: undefined, done: true } });
});
