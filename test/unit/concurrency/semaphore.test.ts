import { expect, test } from 'vitest';
import { Semaphore } from '../../../src/concurrency/semaphore.js';
import { settle } from '../../support/virtual-clock.js';

function tasks(semaphore: Semaphore, count: number) {
  const ends: (() => void)[] = [];
  const results = Array.from({ length: count }, (_, number) =>
    semaphore.run(async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return number;
    }),
  );
  return { ends, results };
}

test('runs as many tasks at a time as it allows, the others in the order in which they came', async () => {
  const { ends, results } = tasks(new Semaphore(2), 5);
  await settle();
  expect(ends).toHaveLength(2);

  ends[1]?.();
  await settle();
  expect(ends).toHaveLength(3);
  for (let next = 0; next < 5; next += 1) {
    ends[next]?.();
    await settle();
  }

  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
});

test('a task that fails makes room for the next one', async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(async () => {
    throw new Error('x');
  });
  const next = semaphore.run(async () => 'ran');

  await expect(failing).rejects.toThrow('x');
  expect(await next).toBe('ran');
  expect(await semaphore.run(async () => 'ran, too')).toBe('ran, too');
});
