import { holdsForRuns } from './holds.js';

holdsForRuns({ from: 501, runs: 500 });
