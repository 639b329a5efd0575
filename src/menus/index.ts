export type { OpeningHours } from '../hours/business-hours.js';
export { isOpen } from '../hours/business-hours.js';
export type { SaleHours } from '../hours/sale-hours.js';
export { isOnSale } from '../hours/sale-hours.js';
export type { TimeInput } from '../hours/time-input.js';
export type { Profile } from '../profile/profile.js';
export { checkCart } from './checks/check-cart.js';
export type { CheckItemOptions, CheckOptions } from './checks/check-item.js';
export { checkItem } from './checks/check-item.js';
export type { GroupChoice, ModifierChoice, NestedChoice } from './checks/choices.js';
export { choices } from './checks/choices.js';
export type { MenuProblem, MenuRule } from './checks/problem.js';
export type { AllowedTenders, AllowedTendersOptions, TenderConflict } from './checks/tenders.js';
export { allowedTenders } from './checks/tenders.js';
export type { DailySales, DiffMenusOptions, ItemChange, MenuDiff, ValueChange } from './diff/diff.js';
export { diffMenus } from './diff/diff.js';
export type { FieldChange, FieldChanges } from './diff/diff-fields.js';
export type { ModifierChange } from './diff/diff-modifiers.js';
export type { CartItemDraft, CartLine, CartLines, Handoff, HandoffName } from './model/cart-lines.js';
export type { MenuFieldNames, MenuRecord } from './model/menu-fields.js';
export type {
  IndexedCategory,
  IndexedGroup,
  IndexedItem,
  IndexedModifier,
  IndexMenuOptions,
  MenuIndex,
  MenuOrIndex,
} from './model/menu-index.js';
export { indexMenu } from './model/menu-index.js';
export type { PriceEstimate } from './model/price.js';
export { priceOf } from './model/price.js';
export type { Availability, AvailabilityOptions, ItemAvailability } from './stock/availability.js';
export { availability } from './stock/availability.js';
export type { InventoryClient, LocationClient, MenuCallOptions, MenuClient } from './stock/menu-client.js';
export type { WakingEvent, WatchClient, WatchReason } from './sync/location-watch.js';
export type { MenuCache, MenuCacheOptions } from './sync/menu-cache.js';
export { createMenuCache } from './sync/menu-cache.js';
export type { MenuChange, MenuEvent, MenuEventSource, MenuWatch, WatchMenusOptions } from './sync/watch-menus.js';
export { watchMenus } from './sync/watch-menus.js';
