export {
  type BrokenStoreRule,
  type CheckStoreOptions,
  checkStore,
  StoreRuleError,
} from './check-store.js';
export { memoryStore } from './memory.js';
export type { Store, StoreWriteOptions } from './store.js';
