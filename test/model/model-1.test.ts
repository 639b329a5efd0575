import { holdsForRuns } from './holds.js';

holdsForRuns({ from: 1, runs: 500 });
