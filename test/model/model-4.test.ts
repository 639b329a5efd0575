import { holdsForRuns } from './holds.js';

holdsForRuns({ from: 1501, runs: 500 });
