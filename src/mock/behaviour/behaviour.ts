/** Milliseconds on the service's clock, or a range from which each use draws a value, by the seed: `[0, 2000]`. */
export type Span = number | readonly [from: number, to: number];

/**
 * What the service does where the interface document promises nothing. The defaults are kind; each switch makes it
 * less so, within what the document says.
 */
export interface Behaviour {
  /**
   * A request whose key is still being executed: waits for the first and gets its response, executes as well, or is
   * refused with 409 (gap PAY-11). @defaultValue 'wait'
   */
  readonly keysInFlight: 'wait' | 'run_twice' | 'conflict';
  /** A payment above what is due: refused with 422, or taken (gap PAY-8). @defaultValue 'refuse' */
  readonly overpayment: 'refuse' | 'accept';
  /**
   * A payment that is executed a second time under its key, because nothing is cached of an error or because
   * `keysInFlight` lets it: executed, or declined with 422 as a duplicate (gap PAY-19). @defaultValue 'execute'
   */
  readonly duplicates: 'execute' | 'decline';
  /** How far the replica lags from which orders are read (gap PAY-15). At most an hour. @defaultValue 0 */
  readonly readLagMs: Span;
  /** How far the lists `payments` and `refunds` of an order lag behind its sums (gap PAY-15). @defaultValue 0 */
  readonly paymentListLagMs: Span;
  /** How far `amount_paid`, `amount_refunded`, `balance_due` and `payment_status` lag behind the lists (gap PAY-15). @defaultValue 0 */
  readonly paymentSumLagMs: Span;
  /**
   * How long a payment or a refund that is accepted executes before its record exists. It goes on when the connection
   * ends (gap PAY-16). @defaultValue 0
   */
  readonly authorizationMs: Span;
  /** After how long a gateway responds 504 with a page of its own, while the service goes on executing (gap PAY-16). @defaultValue 0: never */
  readonly gatewayTimeoutMs: Span;
  /** How records of payments and refunds look (gap PAY-17). */
  readonly records: RecordBehaviour;
  /** `false` leaves `refunds` of an order empty; `amount_refunded` is right all the same (gap PAY-17). @defaultValue true */
  readonly refundsListed: boolean;
  /** `false` sends no `Date` header (gap PAY-18). @defaultValue true */
  readonly dateHeader: boolean;
  /**
   * A checkout below the location's minimum: a fee covers the shortfall, as the interface document says, or 422 "Below
   * minimum order amount" (gap CART-18). @defaultValue 'fee'
   */
  readonly belowMinimum: 'fee' | 'refuse';
  /**
   * A refund of an order on which nothing was paid: 422 "Refund exceeds refundable balance", or 422 "Payment required"
   * (gap REF-8). @defaultValue 'exceeds_balance'
   */
  readonly refundOfUnpaid: 'exceeds_balance' | 'payment_required';
  /** Milliseconds by which the service's own clock (`Date`, timestamps) is ahead of `service.clock`, or behind it (gap PAY-18). @defaultValue 0 */
  readonly clockOffsetMs: number;
}

/** How records of payments and refunds look. Given as one: what is left out is kind. */
export interface RecordBehaviour {
  /** Whether records show the key of their request as `idempotency_key`. @defaultValue 'hidden' */
  readonly key: 'hidden' | 'shown';
  /** Names under which methods are shown: `{ DIGITAL_WALLET: 'APPLE_PAY' }`. @defaultValue {} */
  readonly methods: Readonly<Record<string, string>>;
  /** Cents by which the shown amount of a payment differs from what was charged. @defaultValue 0 */
  readonly amountOffsetCents: number;
  /** Names under which statuses of payments are shown: `{ COMPLETED: 'SETTLED' }`. @defaultValue {} */
  readonly statuses: Readonly<Record<string, string>>;
  /** Names under which statuses of refunds are shown. @defaultValue {} */
  readonly refundStatuses: Readonly<Record<string, string>>;
  /** FAILED records of the same payment that stand before one that was accepted. @defaultValue 0 */
  readonly failedPayments: number;
  /** FAILED records of the same refund that stand before the COMPLETED one. @defaultValue 0 */
  readonly failedRefunds: number;
}

/** Some switches of {@link Behaviour}; those that are left out stay as they are. */
export type BehaviourChange = {
  readonly [Name in keyof Behaviour]?:
    | (Name extends 'records' ? Partial<RecordBehaviour> : Behaviour[Name])
    | undefined;
};

export const KIND_RECORDS: RecordBehaviour = {
  key: 'hidden',
  methods: {},
  amountOffsetCents: 0,
  statuses: {},
  refundStatuses: {},
  failedPayments: 0,
  failedRefunds: 0,
};

export const KIND: Behaviour = {
  keysInFlight: 'wait',
  overpayment: 'refuse',
  duplicates: 'execute',
  readLagMs: 0,
  paymentListLagMs: 0,
  paymentSumLagMs: 0,
  authorizationMs: 0,
  gatewayTimeoutMs: 0,
  records: KIND_RECORDS,
  refundsListed: true,
  dateHeader: true,
  belowMinimum: 'fee',
  refundOfUnpaid: 'exceeds_balance',
  clockOffsetMs: 0,
};
