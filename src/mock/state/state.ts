import type {
  Cart,
  CheckoutResult,
  DayHours,
  InventoryStatus,
  Location,
  Menu,
  Order,
  PriceCalculation,
  WebhookEvent,
  WebhookEventType,
  WebhookSubscription,
} from '../../contract/index.js';
import type { Clock } from '../../platform/clock.js';
import type { BehaviourSwitches } from '../behaviour/control.js';
import type { Feature } from './features.js';
import type { Keep } from './keep.js';
import type { OrderVersions } from './order-versions.js';
import type { RuleReadings } from './readings.js';

/** Everything the service remembers. Handlers change it; rules only look at values taken from it. */
export interface ServiceState {
  readonly clock: Clock;
  /** The next UUID v4 of the seed. */
  readonly nextId: () => string;
  /** How much was drawn from the seed so far. */
  readonly drawn: () => Drawn;
  /** 1, 2, 3, …: the place of an order in the list, for life. */
  readonly nextOrderNumber: () => number;
  readonly partners: Map<string, PartnerRecord>;
  readonly locations: Map<string, LocationRecord>;
  readonly promoCodes: Map<string, PromoDefinition>;
  /** Customers with member prices, by `customer_id`. */
  readonly members: Map<string, MemberDefinition>;
  readonly carts: Map<string, CartRecord>;
  readonly orders: Map<string, OrderRecord>;
  readonly subscriptions: Map<string, SubscriptionRecord>;
  /** Access tokens that were issued, expired ones too. */
  readonly tokens: Map<string, TokenRecord>;
  /** The next secret of the seed: letters and digits behind `prefix`. */
  readonly nextSecret: (prefix: string) => string;
  /** Every movement of money, by order id. */
  readonly ledger: Map<string, LedgerEntry[]>;
  /** Payments to come, and the balances of their instruments. */
  readonly payments: PaymentState;
  readonly rules: RuleOptions;
  readonly keep: Required<Keep>;
  /** What the service does where the interface document promises nothing. */
  readonly behaviour: BehaviourSwitches;
  /** Waits on the service's clock, which may move on meanwhile. */
  readonly wait: (delayMs: number) => Promise<void>;
  /** Queues one event for every subscription of the partner that asked for its type. */
  readonly emit: (partnerId: string, type: WebhookEventType, data: WebhookEvent['data']) => void;
}

/** What was drawn from the streams of the seed. */
export interface Drawn {
  readonly ids: number;
  readonly secrets: number;
  readonly orders: number;
}

/** One movement of money. */
export interface LedgerEntry {
  /** Which way the money went: `charge` to the store; `void` and `refund` back to the customer. */
  readonly kind: 'charge' | 'void' | 'refund';
  /** `id` of the payment record; of a void or refund, that of the payment it gives back. */
  readonly paymentId: string;
  /** Tender type of the payment. */
  readonly method: string;
  /** Cents that moved; never negative. */
  readonly cents: number;
  /** Key of the request that moved the money; null when the service moved it. */
  readonly idempotencyKey: string | null;
  /** ISO 8601, on the service's clock. */
  readonly at: string;
}

/** What tests set for payments to come, and the balances of the instruments. */
export interface PaymentState {
  /** Declines that wait for the next payment of a method. */
  readonly declines: { readonly method: string; readonly reason: string }[];
  /** How long payments take, and how they end; completed at once when undefined. */
  settlement: { readonly afterMs: number; readonly outcome: 'COMPLETED' | 'FAILED' } | undefined;
  /** Cents left on gift cards that were used, by number. */
  readonly giftCardBalances: Map<string, number>;
  /** The gift card or loyalty account behind a payment, by payment id. */
  readonly instrumentOf: Map<string, string>;
}

/** Nowhere; at payments; at checkout and payments; or from the cart on. */
export type TenderEnforcement = false | 'payment' | 'checkout' | 'cart';

export interface RuleOptions {
  /** Where tenders of restricted items are enforced: planned, and nowhere by default. */
  readonly enforceTenders: TenderEnforcement;
  /** Refuses what the interface document calls undefined. */
  readonly strict: boolean;
  /** Milliseconds between two fulfillment steps of a confirmed order; undefined leaves orders where they are. */
  readonly autoAdvanceMs: number | undefined;
  /** What a profile says of the rules. */
  readonly readings: RuleReadings;
}

export interface TokenRecord {
  readonly partnerId: string;
  readonly expiresAtMs: number;
}

export interface PartnerRecord {
  readonly id: string;
  readonly clientId: string;
  clientSecret: string;
  /** Locations in scope. */
  readonly locationIds: ReadonlySet<string>;
  /** Features that are switched off. */
  withoutFeatures: ReadonlySet<Feature>;
  /** Where tenders are enforced for this partner; undefined as for everybody. */
  enforceTenders?: TenderEnforcement;
}

export interface LocationRecord {
  location: Location;
  menu: Menu;
  /** Availability by menu item id. An item that is missing here is not returned by the inventory, and not available. */
  readonly stock: Map<string, { status: InventoryStatus; updatedAt: string }>;
  /** Rates and fees that the document does not show to partners. */
  readonly pricing: LocationPricing;
  /** KIOSK orders skip PENDING and IN_PROGRESS once they are paid. */
  readonly autoAcceptsKiosk: boolean;
  /** An inactive location is not found (gap LOC-9). */
  active: boolean;
  /** Opening hours that hold from an instant on, in milliseconds. */
  hoursToCome?: { readonly fromMs: number; readonly hours: readonly DayHours[] }[];
}

export interface LocationPricing {
  /** Tax rate in basis points (825 is 8.25 %), by menu item id; `default` for all others. */
  readonly taxBasisPoints: Readonly<Record<string, number>> & { readonly default: number };
  /** Cents. */
  readonly deliveryFee: number;
  /** Share of the subtotal in basis points. */
  readonly serviceFeeBasisPoints: number;
  /** Cents per order with a bag (all modes but KIOSK). */
  readonly bagFee: number;
}

/** A promo code as the service keeps it. */
export interface PromoDefinition {
  /** What the customer types, in capitals; the mock reads it in any case. */
  readonly code: string;
  /** Name that the cart shows beside the discount. */
  readonly name: string;
  /** Whether `value` is a share of the subtotal or an amount. */
  readonly type: 'PERCENTAGE' | 'FIXED';
  /** Basis points for PERCENTAGE, cents for FIXED. */
  readonly value: number;
  /** Cents; the discount never exceeds it. */
  readonly maximumDiscount?: number;
  /** Cents of subtotal. */
  readonly minimumSubtotal?: number;
  /** ISO 8601; the code has expired from this instant on. */
  expiresAt?: string;
  /** Menu item ids it applies to; all when absent. */
  readonly menuItemIds?: readonly string[];
  /** One order per partner and code; then ALREADY_USED. */
  readonly singleUse?: boolean;
  /** Ids of the orders that have used it. */
  readonly usedByOrders: Set<string>;
}

/** A customer with member prices. */
export interface MemberDefinition {
  /** The `customer_id` that a cart names. */
  readonly customerId: string;
  /** Cents off per unit, by menu item id. */
  readonly unitDiscounts: Readonly<Record<string, number>>;
  /** Name of the loyalty programme, the `name` of its discounts in a cart. */
  readonly programme: string;
}

export interface CartRecord {
  readonly partnerId: string;
  cart: Cart;
  /** The prices that `cart` shows; once it is checked out, those of its order. */
  pricing: PriceCalculation;
  /** The latest response of `calculate`, when there was one: the prices that the partner saw last. */
  lastCalculation?: PriceCalculation;
  /** The checkout that ended the cart; the same key gets its response again, whenever it is repeated. */
  checkout?: { readonly idempotencyKey: string; readonly result: CheckoutResult };
}

/** How a payment under way will end. */
export interface PaymentUnderWay {
  /** Milliseconds of the service's clock. */
  readonly sinceMs: number;
  readonly afterMs: number;
  readonly outcome: 'COMPLETED' | 'FAILED';
}

export interface OrderRecord {
  readonly partnerId: string;
  /** Rises with every order placed; the order of the list. */
  readonly sequence: number;
  order: Order;
  /** Payments that take time, by payment id. */
  readonly underWay: Map<string, PaymentUnderWay>;
  /** How the order stood earlier. */
  readonly versions: OrderVersions;
  /** Keys of the requests behind payments and refunds, by the id of the record. */
  readonly keys: Map<string, string>;
  /** Keys of payments and refunds whose execution was begun. */
  readonly begunKeys: Set<string>;
  /** Payments that are being executed, and not in the order yet. */
  executing: number;
  /** Key of the cancel; the same key gets the order again, whenever it is repeated. */
  cancelledWith?: string;
}

export interface SubscriptionRecord {
  readonly partnerId: string;
  readonly subscription: WebhookSubscription;
  readonly signingSecret: string;
  /** Rises with every subscription made; the order of the list. */
  readonly sequence: number;
  /** Deliveries in a row that failed with all their retries. */
  consecutiveFailures: number;
}
