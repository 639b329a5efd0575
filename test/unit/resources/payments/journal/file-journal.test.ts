import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, fileJournal } from 'online-ordering-sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../support/eventually.js';

const ORDER = 'a3fb4a64-50c9-492a-a5e7-0b98911019e1';
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'file-journal-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

type Operation = (...args: unknown[]) => unknown;

/** Puts `around` around every operation of the file system, those of open files included. */
function aroundFiles(around: (name: string, act: Operation, args: unknown[]) => unknown): void {
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(inner, name) {
        const value = Reflect.get(inner, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const result = around(String(name), (...given) => (value as Operation).apply(inner, given), args);
          return name === 'open' ? Promise.resolve(result as Promise<object>).then(wrap) : result;
        };
      },
    });
  const real = process.getBuiltinModule.bind(process);
  const files = wrap(fs);
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
    name === 'node:fs/promises' ? files : real(name as 'node:fs')) as never);
}

/** Lets the file system fail at its n-th operation, and at every one after it: the process is dead by then. */
function dieAtOperation(n: number): { operations: () => number } {
  let operations = 0;
  aroundFiles((name, act, args) => {
    if (name === 'close') return act(...args);
    operations += 1;
    return operations >= n ? Promise.reject(new Error('power cut')) : act(...args);
  });
  return { operations: () => operations };
}

function failing(operation: string, code: string, when: (...args: unknown[]) => boolean = () => true): void {
  aroundFiles((name, act, args) =>
    name === operation && when(...args) ? Promise.reject(Object.assign(new Error(code), { code })) : act(...args),
  );
}

/** Every file below the directory, without the folders. */
async function filesBelow(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const openRecord = (orderId: string, more = '') =>
  JSON.stringify({ format: 1, orderId, lock: null, runs: [{ id: more, ended: false }] });
const endedRecord = (orderId: string, more = '') =>
  JSON.stringify({ format: 1, orderId, lock: null, runs: [{ id: more, ended: true }] });

async function collect(ids: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  return all.sort();
}

/** Makes everything below the directory older. */
async function age(path: string, days: number): Promise<void> {
  const then = new Date(Date.now() - days * 24 * 60 * 60_000);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await fs.utimes(join(entry.parentPath, entry.name), then, then);
  }
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

    for (const act of [() => journal.read(ORDER), () => journal.write(ORDER, undefined, 'one')]) {
      const failure = act();
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

    const [shard, ...others] = await readdir(nested);
    expect(others).toEqual([]);
    expect(shard).toMatch(/^[0-9a-f]{2}$/);
    expect(await readdir(join(nested, shard!))).toEqual([`order-${ORDER}.log`]);
    expect((await stat(join(nested, shard!, `order-${ORDER}.log`))).mode & 0o777).toBe(0o600);
    for (const made of [nested, join(nested, shard!)]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  test('keeps records of any order id apart, inside its directory', async () => {
    const journal = fileJournal(directory);
    const ids = ['../../etc/passwd', 'a/b', 'a', '.', '..', 'order:1', 'x'.repeat(500), '', 'con', 'ü', 'a.1'];
    for (const id of ids) expect(await journal.write(id, undefined, `record of ${id}`)).toBe(true);

    for (const id of ids) expect(await journal.read(id)).toBe(`record of ${id}`);
    expect(await filesBelow(directory)).toHaveLength(ids.length);
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

  test('keeps orders apart from each other, and one order together in every spelling of its id', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER.toUpperCase(), undefined, 'one');

    expect(await journal.read(ORDER)).toBe('one');
    expect(await journal.write(ORDER, undefined, 'two')).toBe(false);
    expect(await journal.write(ORDER, 'one', 'two')).toBe(true);
    expect(await journal.read(ORDER.toUpperCase())).toBe('two');
  });

  test('shows a writer that was late that it was, whatever was written meanwhile', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'one');
    let isFirst = true;
    aroundFiles(async (name, act, args) => {
      if (name === 'write' && isFirst) {
        isFirst = false;
        vi.restoreAllMocks();
        await journal.write(ORDER, 'one', 'two');
        await journal.write(ORDER, 'two', 'one');
      }
      return act(...args);
    });

    expect(await fileJournal(directory).write(ORDER, 'zero', 'late')).toBe(false);
    expect(await fileJournal(directory).write(ORDER, 'one', 'late')).toBe(true);
    expect(await journal.read(ORDER)).toBe('late');
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

  test('passes over what a crash cut off, and files of somebody else', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'whole');
    const [shard] = await readdir(directory);
    const file = join(directory, shard!, `order-${ORDER}.log`);
    await fs.appendFile(file, '\n{"line":"torn","after":"');
    await writeFile(join(directory, shard!, `order-${ORDER}.log.bak`), 'mine');

    expect(await journal.read(ORDER)).toBe('whole');
    expect(await journal.write(ORDER, 'whole', 'next')).toBe(true);
    expect(await journal.read(ORDER)).toBe('next');
  });

  test('grows by what changed, not by the whole record', async () => {
    const journal = fileJournal(directory);
    let text = JSON.stringify({ version: 1, filling: 'x'.repeat(4000), open: true });
    await journal.write(ORDER, undefined, text);
    for (let version = 2; version <= 50; version += 1) {
      const next = JSON.stringify({ version, filling: 'x'.repeat(4000), open: true });
      expect(await journal.write(ORDER, text, next)).toBe(true);
      text = next;
    }

    const [shard] = (await readdir(directory)).filter((name) => name !== 'open');
    const { size } = await stat(join(directory, shard!, `order-${ORDER}.log`));
    expect(await journal.read(ORDER)).toBe(text);
    expect(size).toBeLessThan(15_000);
  });

  test('needs a directory', () => {
    expect(() => fileJournal('')).toThrow(ConfigurationError);
  });

  test('refuses to keep records for less than 25 hours', () => {
    for (const keepMs of [0, -5, Number.NaN, 60_000, 25 * 60 * 60_000 - 1, '30 days' as never]) {
      expect(() => fileJournal(directory, { keepMs })).toThrow(/"keepMs" is .*at least 90000000 \(25 hours\)/);
    }
    expect(() => fileJournal(directory, { keepMs: 25 * 60 * 60_000 })).not.toThrow();
  });
});

describe('rules 9 and 14: the directory of a journal in files', () => {
  test('is resolved when the journal is made, whatever directory the process changes to', async () => {
    const before = process.cwd();
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    try {
      process.chdir(directory);
      const journal = fileJournal('./payments');
      await journal.write(ORDER, undefined, 'one');
      process.chdir(elsewhere);

      expect(await journal.read(ORDER)).toBe('one');
      expect(await journal.write(ORDER, 'one', 'two')).toBe(true);
      expect(await readdir(elsewhere)).toEqual([]);
    } finally {
      process.chdir(before);
      await rm(elsewhere, { recursive: true });
    }
  });

  test('that was moved, replaced or removed stops payments, and the error says so', async () => {
    const path = join(directory, 'payments');
    const journal = fileJournal(path);
    await journal.write(ORDER, undefined, 'one');
    await fs.rename(path, join(directory, 'moved'));

    const says = new RegExp(`${path} of the payment journal was moved, replaced or removed.*Put it back`);
    await expect(journal.read(ORDER)).rejects.toThrow(says);
    await expect(journal.write(ORDER, undefined, 'anew')).rejects.toThrow(says);
    await expect(journal.write(ORDER, 'one', 'two')).rejects.toThrow(says);
    await fs.mkdir(path);
    await expect(journal.read(ORDER)).rejects.toThrow(ConfigurationError);
    await fs.rmdir(path);
    await fs.rename(join(directory, 'moved'), path);
    expect(await journal.read(ORDER)).toBe('one');
  });

  test('is flushed with every directory above it that was made for it', async () => {
    const flushed: string[] = [];
    aroundFiles((name, act, args) => {
      if (name === 'open' && args[1] === 'r') flushed.push(String(args[0]));
      return act(...args);
    });

    await fileJournal(join(directory, 'a', 'b', 'c')).write(ORDER, undefined, 'one');

    for (const parent of [directory, join(directory, 'a'), join(directory, 'a', 'b'), join(directory, 'a', 'b', 'c')]) {
      expect(flushed).toContain(parent);
    }
  });

  test('that its file system cannot flush stops payments, also when the call is repeated', async () => {
    await fileJournal(directory).write('another', undefined, 'one');
    aroundFiles(async (name, act, args) => {
      if (name !== 'open' || args[1] !== 'r') return act(...args);
      const handle = (await act(...args)) as fs.FileHandle;
      return new Proxy(handle, {
        get: (target, member) =>
          member === 'sync'
            ? () => Promise.reject(Object.assign(new Error('EINVAL'), { code: 'EINVAL' }))
            : typeof target[member as 'close'] === 'function'
              ? target[member as 'close'].bind(target)
              : target[member as 'close'],
      });
    });
    const journal = fileJournal(directory);

    const says =
      /does not flush a directory to the disk \(EINVAL\).*No payment is sent.*local disk, or use storeJournal/;
    await expect(journal.write(ORDER, undefined, 'one')).rejects.toThrow(says);
    await expect(journal.write(ORDER, 'one', 'two')).rejects.toThrow(says);
    await expect(journal.write(ORDER, 'two', 'three')).rejects.toThrow(says);
  });

  test('without space, or read-only, stops payments and says why', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'one');

    failing('write', 'ENOSPC');
    await expect(journal.write(ORDER, 'one', 'two')).rejects.toThrow(/cannot be written \(ENOSPC\).*with space left/);
    vi.restoreAllMocks();
    failing('open', 'EROFS');
    await expect(journal.write(ORDER, 'one', 'two')).rejects.toThrow(/cannot be written \(EROFS\)/);
    vi.restoreAllMocks();

    expect(await journal.read(ORDER)).toBe('one');
    expect(await journal.write(ORDER, 'one', 'two')).toBe(true);
  });

  test('needs no listing for an order, and one flush for each later write', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, openRecord(ORDER));
    const counts = { readdir: 0, sync: 0, link: 0 };
    aroundFiles((name, act, args) => {
      if (name in counts) counts[name as 'sync'] += 1;
      return act(...args);
    });

    let text = openRecord(ORDER);
    for (let n = 0; n < 5; n += 1) {
      expect(await journal.read(ORDER)).toBe(text);
      expect(await journal.write(ORDER, text, openRecord(ORDER, String(n)))).toBe(true);
      text = openRecord(ORDER, String(n));
    }

    expect(counts).toEqual({ readdir: 0, sync: 5, link: 0 });
  });
});

describe('rule 14: orders that a crash left open', () => {
  test('are told by a journal in files, and others are not', async () => {
    const journal = fileJournal(directory);
    for (const id of ['open-1', 'open-2', 'ended']) await journal.write(id, undefined, openRecord(id));
    await journal.write('ended', openRecord('ended'), endedRecord('ended'));
    await journal.write('ID/with Capitals', undefined, openRecord('ID/with Capitals'));

    expect(await collect(fileJournal(directory).open!())).toEqual(['ID/with Capitals', 'open-1', 'open-2']);
    expect(await collect(fileJournal(join(directory, 'never made')).open!())).toEqual([]);
  });

  test('stay told when an older holder ends after another one has begun', async () => {
    const [one, two] = [fileJournal(directory), fileJournal(directory)];
    await one.write(ORDER, undefined, openRecord(ORDER, '1'));
    await one.write(ORDER, openRecord(ORDER, '1'), endedRecord(ORDER, '2'));
    await two.write(ORDER, endedRecord(ORDER, '2'), openRecord(ORDER, '3'));
    // The mark of the first goes away late.
    await one.write(ORDER, openRecord(ORDER, '1'), endedRecord(ORDER, 'late'));

    expect(await collect(one.open!())).toEqual([ORDER]);
  });

  test('are marked before their record is written, and marks of a crash go away', async () => {
    await fileJournal(directory).write(ORDER, undefined, endedRecord(ORDER));
    failing('write', 'EIO');
    await expect(fileJournal(directory).write(ORDER, endedRecord(ORDER), openRecord(ORDER))).rejects.toThrow('EIO');
    vi.restoreAllMocks();
    expect(await readdir(join(directory, 'open'))).toHaveLength(1);

    expect(await collect(fileJournal(directory).open!())).toEqual([]);
    expect(await readdir(join(directory, 'open'))).toHaveLength(1);
    await age(directory, 1);
    expect(await collect(fileJournal(directory).open!())).toEqual([]);
    expect(await readdir(join(directory, 'open'))).toEqual([]);
  });
});

describe('rule 14: a journal in files forgets', () => {
  test('a record that is given back empty, and begins anew', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, openRecord(ORDER));

    expect(await journal.forget!(ORDER, 'another')).toBe(false);
    expect(await journal.forget!(ORDER.toUpperCase(), openRecord(ORDER))).toBe(true);

    expect(await filesBelow(directory)).toEqual([]);
    expect(await journal.read(ORDER)).toBeUndefined();
    expect(await journal.forget!(ORDER, openRecord(ORDER))).toBe(false);
    expect(await journal.write(ORDER, openRecord(ORDER), 'late')).toBe(false);
    expect(await journal.write(ORDER, undefined, 'anew')).toBe(true);
    expect(await journal.read(ORDER)).toBe('anew');
  });

  test('orders that ended long ago, a few with each order, and none whose run is open', async () => {
    const days = 24 * 60 * 60_000;
    const old = fileJournal(directory);
    for (let n = 0; n < 30; n += 1) await old.write(`old-${n}`, undefined, endedRecord(`old-${n}`));
    await old.write('undecided', undefined, openRecord('undecided'));
    await age(directory, 40);
    await old.write('young', undefined, endedRecord('young'));

    await fileJournal(directory, { keepMs: 50 * days }).write('one', undefined, endedRecord('one'));
    await eventually(async () => expect(await filesBelow(directory)).toContain('order-one.log'));
    expect((await filesBelow(directory)).filter((name) => name.startsWith('order-old')).length).toBe(30);
    await fileJournal(directory).write('two', undefined, endedRecord('two'));

    await eventually(async () => {
      const names = (await filesBelow(directory)).filter((name) => name.endsWith('.log')).sort();
      expect(names).toEqual(['one', 'two', 'undecided', 'young'].map((id) => `order-${id}.log`));
    });
    expect(await old.read('old-3')).toBeUndefined();
    await age(directory, 370);
    await fileJournal(directory).write('three', undefined, endedRecord('three'));
    await eventually(async () => expect(await old.read('undecided')).toBeUndefined());
  });

  test('nothing of a record that goes on while it is removed', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'one');
    let isFirst = true;
    aroundFiles(async (name, act, args) => {
      if (name === 'write' && isFirst) {
        isFirst = false;
        await journal.write(ORDER, 'one', 'two');
      }
      return act(...args);
    });

    expect(await fileJournal(directory).forget!(ORDER, 'one')).toBe(false);
    expect(await journal.read(ORDER)).toBe('two');
  });

  test('nothing that was begun anew before its file was unlinked', async () => {
    const journal = fileJournal(directory);
    await journal.write(ORDER, undefined, 'one');
    aroundFiles(async (name, act, args) => {
      if (name === 'rename') {
        vi.restoreAllMocks();
        await journal.write(ORDER, undefined, 'anew');
      }
      return act(...args);
    });

    expect(await fileJournal(directory).forget!(ORDER, 'one')).toBe(true);
    expect(await journal.read(ORDER)).toBe('anew');
  });
});

describe('files of release 0.1.0', () => {
  const formerFile = (id: string, version: number) => join(directory, `order-${id}.${version}.json`);

  test('are found and gone on with, and an older process that still uses them is refused', async () => {
    await writeFile(formerFile(ORDER, 7), openRecord(ORDER));
    const journal = fileJournal(directory);

    expect(await journal.read(ORDER)).toBe(openRecord(ORDER));
    expect(await journal.write(ORDER, undefined, 'anew')).toBe(false);
    expect(await journal.write(ORDER, 'other', 'anew')).toBe(false);
    expect(await journal.write(ORDER, openRecord(ORDER), endedRecord(ORDER))).toBe(true);

    expect(await fileJournal(directory).read(ORDER)).toBe(endedRecord(ORDER));
    const left = (await readdir(directory)).filter((name) => name.endsWith('.json'));
    expect(left).toEqual([`order-${ORDER}.8.json`]);
    expect(JSON.parse(await readFile(join(directory, left[0]!), 'utf8')).format).not.toBe(1);
  });

  test('are gone on with by one of several processes', async () => {
    await writeFile(formerFile(ORDER, 7), 'one');
    const journals = Array.from({ length: 6 }, () => fileJournal(directory));

    const won = await Promise.all(journals.map((journal, n) => journal.write(ORDER, 'one', `two of ${n}`)));

    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await journals[0]!.read(ORDER)).toBe(`two of ${won.indexOf(true)}`);
  });

  test('are there after a death at any operation of the first write', async () => {
    const outcomes = new Set<string>();
    for (let n = 1; ; n += 1) {
      await rm(directory, { recursive: true, force: true });
      await fs.mkdir(directory);
      await writeFile(formerFile(ORDER, 3), openRecord(ORDER));
      const { operations } = dieAtOperation(n);
      const after = openRecord(ORDER, 'after');
      const written = await fileJournal(directory)
        .write(ORDER, openRecord(ORDER), after)
        .catch(() => 'dead');
      vi.restoreAllMocks();

      const read = await fileJournal(directory).read(ORDER);
      expect([openRecord(ORDER), after]).toContain(read);
      if (written === true) expect(read).toBe(after);
      expect(await collect(fileJournal(directory).open!())).toEqual([ORDER]);
      expect(await fileJournal(directory).write(ORDER, read, 'next')).toBe(true);
      expect(await fileJournal(directory).read(ORDER)).toBe('next');
      outcomes.add(String(written));
      if (operations() < n) break;
    }
    expect([...outcomes].sort()).toEqual(['dead', 'true']);
  });

  test('are found under the spelling of the call that wrote them', async () => {
    const capitals = ORDER.toUpperCase();
    const name = `hashed-${createHash('sha256').update(capitals).digest('hex')}`;
    await writeFile(join(directory, `${name}.2.json`), openRecord(capitals));

    expect(await fileJournal(directory).read(capitals)).toBe(openRecord(capitals));
    expect(await collect(fileJournal(directory).open!())).toEqual([capitals]);
  });

  test('that lead nowhere end in an error, at once', async () => {
    await fs.symlink(join(directory, 'nowhere'), formerFile(ORDER, 4));

    await expect(fileJournal(directory).read(ORDER)).rejects.toThrow(/cannot be opened: a link that leads nowhere/);
  });

  test('are removed when they are old, like the others', async () => {
    await writeFile(formerFile('ended', 3), endedRecord('ended'));
    await writeFile(formerFile('open', 3), openRecord('open'));
    await writeFile(join(directory, 'mine.json'), '{}');
    await age(directory, 40);

    await fileJournal(directory).write(ORDER, undefined, endedRecord(ORDER));

    await eventually(async () => {
      const left = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort();
      expect(left).toEqual(['mine.json', 'order-open.3.json']);
    });
  });
});
