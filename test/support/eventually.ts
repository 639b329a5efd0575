import { vi } from 'vitest';

/** Waits until the check passes, however busy the machine is. */
export function eventually<Result>(check: () => Result): Promise<Awaited<Result>> {
  return vi.waitFor(check as () => Awaited<Result>, { timeout: 60_000, interval: 20 });
}
