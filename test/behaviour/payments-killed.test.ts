import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inLanes, type JournalKind, Killing } from './processes/killing.js';

const JOURNALS: readonly JournalKind[] = ['files', 'store'];

// Most of the time is spent waiting for the horizon, so that they wait together.
describe.concurrent.each(JOURNALS)('real processes, a journal in %s, and an unkind service over HTTP', (journal) => {
  let killing: Killing;

  beforeAll(async () => {
    killing = new Killing({ journal, seed: 1 });
    await killing.start();
  });

  afterAll(() => killing.close());

  test('processes that are killed at any moment are gone on with, and the order is charged once', async () => {
    expect(await inLanes(12, 4, () => killing.killOnce())).toEqual([]);
  }, 180_000);

  test('processes that are stopped while another one takes over send nothing more when they go on', async () => {
    expect(await inLanes(4, 2, () => killing.stopOnce())).toEqual([]);
  }, 180_000);
});
