import { expect, test } from 'vitest';
import { KeyedMutex } from '../../../src/concurrency/mutex.js';
import { settle } from '../../support/virtual-clock.js';

/** Waits for its place, and writes down when it has it. */
function holder(mutex: KeyedMutex, key: string, name: string, log: string[]) {
  const place = mutex.enter(key);
  const waiting = Promise.resolve(place.earlier).then(() => log.push(name));
  return { ...place, waiting };
}

test('holders of one key come in one after the other, in the order in which they came', async () => {
  const mutex = new KeyedMutex();
  const log: string[] = [];
  const [first, second, third] = ['first', 'second', 'third'].map((name) => holder(mutex, 'a', name, log));

  await settle();
  expect(log).toEqual(['first']);
  first?.leave();
  await settle();
  expect(log).toEqual(['first', 'second']);
  second?.leave();
  await third?.waiting;
  expect(log).toEqual(['first', 'second', 'third']);
});

test('a holder of one key does not hold up another key', async () => {
  const mutex = new KeyedMutex();
  mutex.enter('a');

  expect(mutex.enter('b').earlier).toBeUndefined();
});

test('one that gives up its wait lets none in before the ones ahead of it have left', async () => {
  const mutex = new KeyedMutex();
  const log: string[] = [];
  const first = holder(mutex, 'a', 'first', log);
  mutex.enter('a').leave();
  const last = holder(mutex, 'a', 'last', log);

  await settle();
  expect(log).toEqual(['first']);
  first.leave();
  await last.waiting;
  expect(log).toEqual(['first', 'last']);
});

test('the last in the queue may give up, and the next still waits for the first', async () => {
  const mutex = new KeyedMutex();
  const first = mutex.enter('a');
  mutex.enter('a').leave();
  await settle();

  expect(mutex.enter('a').earlier).toBeDefined();
  first.leave();
});

test('keys that are free are forgotten', async () => {
  const mutex = new KeyedMutex();
  const places = ['a', 'a', 'b'].map((key) => mutex.enter(key));
  expect(mutex.size).toBe(2);

  for (const { leave } of places) leave();
  await settle();

  expect(mutex.size).toBe(0);
  expect(mutex.enter('a').earlier).toBeUndefined();
});
