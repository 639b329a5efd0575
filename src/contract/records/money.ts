/**
 * An amount of money as it travels: whole minor units and their currency, never a floating-point number.
 *
 * @see Interface document, "Money"
 */
export interface Money {
  /** Whole minor units: `1250` is 12.50 USD. */
  amount: number;
  /** Currency code; `USD` is the value in use. */
  currency: string;
}
