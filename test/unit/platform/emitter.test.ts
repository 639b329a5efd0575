import { expect, test } from 'vitest';
import { Emitter } from '../../../src/platform/emitter.js';

interface Events {
  a: number;
  b: string;
}

test('listeners hear the events of their name, in the order in which they came', () => {
  const emitter = new Emitter<Events>();
  const heard: unknown[] = [];
  emitter.on('a', (value) => heard.push(['first', value]));
  emitter.on('a', (value) => heard.push(['second', value]));

  emitter.emit('a', 7);
  emitter.emit('b', 'x');

  expect(heard).toEqual([
    ['first', 7],
    ['second', 7],
  ]);
});

test('a listener that throws or rejects keeps no other from hearing', async () => {
  const emitter = new Emitter<Events>();
  const heard: number[] = [];
  emitter.on('a', () => {
    throw new Error('x');
  });
  emitter.on('a', async () => {
    throw new Error('x');
  });
  emitter.on('a', (value) => heard.push(value));

  emitter.emit('a', 1);
  await new Promise((resolve) => setImmediate(resolve));

  expect(heard).toEqual([1]);
});

test('a listener that removes itself, or adds another, changes the next event only', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  const stop = emitter.on('a', () => {
    heard.push('once');
    stop();
    emitter.on('a', () => heard.push('later'));
  });

  emitter.emit('a', 1);
  expect(heard).toEqual(['once']);
  emitter.emit('a', 2);
  expect(heard).toEqual(['once', 'later']);
  expect(emitter.has('a')).toBe(true);
  expect(emitter.has('b')).toBe(false);
});
