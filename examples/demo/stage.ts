import type { OnlineOrdering, Tender } from 'online-ordering-sdk';
import type { ReceivedEvent } from 'online-ordering-sdk/webhooks';

/** Where the demonstration takes place: what differs between the embedded mock service and a given one. */
export interface Stage {
  readonly client: OnlineOrdering;
  readonly description: string;
  /** A customer that the service knows, for member prices. */
  readonly customerId?: string | undefined;
  readonly promoCode?: string | undefined;
  /** How the order is paid. The order in which they stand here does not matter. */
  readonly tenders: readonly Tender[];
  /** How long the order is followed, in milliseconds. */
  readonly followMs: number;
  /** Subscribes to the events of orders. Absent when the service cannot reach this machine. */
  readonly subscribe?: (onEvent: (event: ReceivedEvent) => void) => Promise<EventCount>;
  /** Prepares an order and hands it over. Absent when the kitchen is a real one. */
  readonly kitchen?: (orderId: string) => Promise<void>;
  close(): Promise<void>;
}

/** Deliveries so far. */
export interface EventCount {
  readonly verified: number;
  readonly refused: number;
}
