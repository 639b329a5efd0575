import { expect, test } from 'vitest';
import { runHistory } from './history.js';
import { COPIES, sdkCopies } from './sdk-copies.js';

/**
 * Histories of an unkind service, lost answers, dying and sleeping processes, failing stores and moving clocks. In each
 * of them the ledger is never above what was asked, no tender is charged twice, nothing that is said denies money that
 * was taken, and once all is well the same call agrees with the ledger.
 */
export function holdsForRuns({ from, runs }: { from: number; runs: number }): void {
  test(`payments stand whatever goes wrong, in ${runs} histories from seed ${from}`, async () => {
    const copies = await sdkCopies(COPIES);
    const failures: string[] = [];
    for (let seed = from; seed < from + runs && failures.length < 5; seed += 1) {
      const { violation } = await runHistory(seed, copies);
      if (violation !== undefined) failures.push(`npm run test:model -- --seed ${seed}: ${violation}`);
    }
    expect(failures).toEqual([]);
  });
}
