export type { Availability, AvailabilityOptions, ItemAvailability } from './availability.js';
export { availability } from './availability.js';
export type { OpeningHours } from './business-hours.js';
export { isOpen } from './business-hours.js';
export type { CartItemDraft, CartLine, CartLines, Handoff } from './cart-lines.js';
export { checkCart } from './check-cart.js';
export type { CheckItemOptions, CheckOptions } from './check-item.js';
export { checkItem } from './check-item.js';
export type { GroupChoice, ModifierChoice, NestedChoice } from './choices.js';
export { choices } from './choices.js';
export type { Change, DiffMenusOptions, ItemChange, MenuDiff } from './diff.js';
export { diffMenus } from './diff.js';
export type { FieldChanges } from './diff-fields.js';
export type { ModifierChange } from './diff-modifiers.js';
export type { Instant } from './instant.js';
export type { WakingEvent, WatchClient, WatchReason } from './location-watch.js';
export type { MenuCache, MenuCacheOptions } from './menu-cache.js';
export { createMenuCache } from './menu-cache.js';
export type { CallOptions, InventoryClient, LocationClient, MenuClient } from './menu-client.js';
export type { MenuFieldNames, RawRecord } from './menu-fields.js';
export type {
  IndexedGroup,
  IndexedItem,
  IndexedModifier,
  IndexMenuOptions,
  MenuIndex,
  MenuOrIndex,
} from './menu-index.js';
export { indexMenu } from './menu-index.js';
export type { PriceEstimate } from './price.js';
export { priceOf } from './price.js';
export type { MenuProblem, MenuRule } from './problem.js';
export type { SaleHours } from './sale-hours.js';
export { isOnSale } from './sale-hours.js';
export type { AllowedTenders, AllowedTendersOptions, TenderConflict } from './tenders.js';
export { allowedTenders } from './tenders.js';
export type { MenuChange, MenuEvent, MenuEventSource, MenuWatch, WatchMenusOptions } from './watch-menus.js';
export { watchMenus } from './watch-menus.js';
