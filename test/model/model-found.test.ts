import { holdsForRuns } from './holds.js';

/** Histories in which long series once found a mistake. */
for (const seed of [3010889, 3017525, 3021093, 6018867, 7018097, 11006353, 12033026])
  holdsForRuns({ from: seed, runs: 1 });
