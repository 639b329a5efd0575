import { onTestFinished, vi } from 'vitest';

const machineNow = Date.now;
let stepMs = 0;

/** Steps the wall clock of this process, for the libraries too; until the end of the test. */
export function stepWallClock(ms: number): void {
  stepMs += ms;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => machineNow() + stepMs);
  onTestFinished(() => {
    stepMs = 0;
    spy.mockRestore();
  });
}
