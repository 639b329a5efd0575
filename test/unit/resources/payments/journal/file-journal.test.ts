import * as fs from 'node:fs/promises';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, fileJournal } from 'online-ordering-sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const ORDER = 'a3fb4a64-50c9-492a-a5e7-0b98911019e1';
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'file-journal-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

/** Lets the file system fail at its n-th operation, and at every one after it: the process is dead by then. */
function dieAtOperation(n: number): { operations: () => number } {
  let operations = 0;
  const real = process.getBuiltinModule.bind(process);
  const dying = new Proxy(fs, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        operations += 1;
        if (operations >= n) return Promise.reject(new Error('power cut'));
        return (value as (...args: unknown[]) => unknown)(...args);
      };
    },
  });
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
    name === 'node:fs/promises' ? dying : real(name as 'node:fs')) as never);
  return { operations: () => operations };
}

describe('a journal in files', () => {
  test('gives back what was written', async () => {
    const journal = fileJournal(directory);

    expect(await journal.read(ORDER)).toBeUndefined();
    expect(await journal.write(ORDER, undefined, '{"a":1}')).toBe(true);
    expect(await journal.write(ORDER, '{"a":1}', '{"a":2}')).toBe(true);

    expect(await fileJournal(directory).read(ORDER)).toBe('{"a":2}');
  });

  test('refuses a write over a record that is no longer the expected one', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'one');

    expect(await journal.write(ORDER, undefined, 'two')).toBe(false);
    expect(await journal.write(ORDER, 'other', 'two')).toBe(false);
    expect(await journal.read(ORDER)).toBe('one');
  });

  test('says which directory cannot be used, and why, when it is a file', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const journal = fileJournal(file);

    for (const failure of [journal.read(ORDER), journal.write(ORDER, undefined, 'one')]) {
      await expect(failure).rejects.toThrow(ConfigurationError);
      await expect(failure).rejects.toThrow(`The payment journal in ${file} cannot be`);
      await expect(failure).rejects.toThrow('(ENOTDIR), and without it no payment is sent.');
      await expect(failure).rejects.toMatchObject({ cause: { code: 'ENOTDIR' } });
    }
  });

  test('keeps one file an order, which its owner alone can read', async () => {
    const nested = join(directory, 'payments', 'journal');
    const journal = fileJournal(nested);
    for (const [before, after] of [
      [undefined, 'one'],
      ['one', 'two'],
      ['two', 'three'],
    ] as const) {
      await journal.write(ORDER, before, after);
    }

    const files = await readdir(nested);
    expect(files).toEqual([`order-${ORDER}.3.json`]);
    expect((await stat(join(nested, files[0]!))).mode & 0o777).toBe(0o600);
    expect((await stat(nested)).mode & 0o777).toBe(0o700);
  });

  test('keeps records of any order id apart, inside its directory', async () => {
    const journal = fileJournal(directory);
    const ids = ['../../etc/passwd', 'a/b', 'A', 'a', '.', '..', 'order:1', 'x'.repeat(500), '', 'con', 'ü', 'a.1'];
    for (const id of ids) expect(await journal.write(id, undefined, `record of ${id}`)).toBe(true);

    for (const id of ids) expect(await journal.read(id)).toBe(`record of ${id}`);
    expect(await readdir(directory)).toHaveLength(ids.length);
  });

  test('lets one of many writers win', async () => {
    await fileJournal(directory).write(ORDER, undefined, 'begin');

    for (const round of [1, 2, 3, 4, 5]) {
      const before = (await fileJournal(directory).read(ORDER))!;
      const writers = Array.from({ length: 8 }, (_, n) => `round ${round} writer ${n}`);
      const won = await Promise.all(writers.map((text) => fileJournal(directory).write(ORDER, before, text)));

      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await fileJournal(directory).read(ORDER)).toBe(writers[won.indexOf(true)]);
    }
  });

  test('shows a writer that was late that it was, also when its version was cleared away', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'one');
    const late = new Proxy(fs, {
      get: (target, name) =>
        name === 'link'
          ? async (draft: string, path: string) => {
              // Two later versions are written, and the one in between is gone, before this link is made.
              vi.restoreAllMocks();
              await journal.write(ORDER, 'one', 'two');
              await journal.write(ORDER, 'two', 'three');
              return fs.link(draft, path);
            }
          : Reflect.get(target, name),
    });
    const real = process.getBuiltinModule.bind(process);
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
      name === 'node:fs/promises' ? late : real(name as 'node:fs')) as never);

    expect(await fileJournal(directory).write(ORDER, 'one', 'late')).toBe(false);
    expect(await journal.read(ORDER)).toBe('three');
  });

  test('is readable after a death at any operation of a write, as before it or after it', async () => {
    const outcomes = new Set<string>();
    for (let n = 1; ; n += 1) {
      await rm(directory, { recursive: true, force: true });
      await fileJournal(directory).write(ORDER, undefined, 'before');
      const { operations } = dieAtOperation(n);
      const written = await fileJournal(directory)
        .write(ORDER, 'before', 'after')
        .catch(() => 'dead' as const);
      vi.restoreAllMocks();

      const read = await fileJournal(directory).read(ORDER);
      expect(['before', 'after']).toContain(read);
      // What was promised is there, and a successor can go on.
      if (written === true) expect(read).toBe('after');
      expect(await fileJournal(directory).write(ORDER, read, 'next')).toBe(true);
      expect(await fileJournal(directory).read(ORDER)).toBe('next');
      outcomes.add(`${written} ${read}`);
      if (operations() < n) break;
    }
    expect([...outcomes].sort()).toEqual(['dead after', 'dead before', 'true after']);
  });

  test('does not mistake a torn draft, or a file of somebody else, for a record', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'whole');
    await writeFile(join(directory, `order-${ORDER}.0f0f.draft`), '{"torn');
    await writeFile(join(directory, `order-${ORDER}.json.bak`), 'mine');

    expect(await journal.read(ORDER)).toBe('whole');
  });

  test('clears drafts of dead writers away after a while', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'one');
    const draft = join(directory, `order-${ORDER}.0f0f.draft`);
    await writeFile(draft, 'torn');
    await fs.utimes(draft, new Date(0), new Date(0));

    await journal.write(ORDER, 'one', 'two');

    expect(await readdir(directory)).toEqual([`order-${ORDER}.2.json`]);
    expect(await readFile(join(directory, `order-${ORDER}.2.json`), 'utf8')).toBe('two');
  });

  test('says what to do on a file system without hard links', async () => {
    const real = process.getBuiltinModule.bind(process);
    const without = new Proxy(fs, {
      get: (target, name) =>
        name === 'link'
          ? () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }))
          : Reflect.get(target, name),
    });
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
      name === 'node:fs/promises' ? without : real(name as 'node:fs')) as never);

    await expect(fileJournal(directory).write(ORDER, undefined, 'one')).rejects.toThrow(/hard links.*storeJournal/s);
  });

  test('needs a directory', () => {
    expect(() => fileJournal('')).toThrow(ConfigurationError);
  });
});
