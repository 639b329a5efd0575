import { holdsForRuns } from './holds.js';

holdsForRuns({ from: 1001, runs: 500 });
