import { CannotTry } from './outcome.js';

// Stands in the place of the mock in the suite that the package carries.

export function createMockService(): never {
  throw new CannotTry('it takes control of the service');
}
