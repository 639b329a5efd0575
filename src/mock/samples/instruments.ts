/** What a magic payment token, gift card number or loyalty account does. */
export interface InstrumentBehaviour {
  /** Said in the documentation and by the command. */
  readonly meaning: string;
  /** Refuses the payment with 422, and leaves a FAILED record with this reason. */
  readonly declines?: string;
  /** Cents on it; a payment above what is left is declined. */
  readonly balance?: number;
  /** The payment passes PENDING, AUTHORIZED and CAPTURED, and ends after this many milliseconds. */
  readonly settlesAfterMs?: number;
  /** How it ends. @defaultValue 'COMPLETED' */
  readonly outcome?: 'COMPLETED' | 'FAILED';
}

/** Values of `payment_token`, `gift_card_number` and `loyalty_account_id`; every other value is simply accepted. */
export const INSTRUMENTS: Readonly<Record<string, InstrumentBehaviour>> = {
  tok_approved: { meaning: 'completes at once' },
  tok_declined: { meaning: 'declined: card_declined', declines: 'card_declined' },
  tok_insufficient_funds: { meaning: 'declined: insufficient_funds', declines: 'insufficient_funds' },
  tok_expired_card: { meaning: 'declined: expired_card', declines: 'expired_card' },
  tok_slow: { meaning: 'completes after 5 s', settlesAfterMs: 5000 },
  tok_fails_later: { meaning: 'accepted, then FAILED after 5 s', settlesAfterMs: 5000, outcome: 'FAILED' },
  'GIFT-0500': { meaning: 'gift card with $5.00', balance: 500 },
  'GIFT-2500': { meaning: 'gift card with $25.00', balance: 2500 },
  'GIFT-0000': { meaning: 'gift card without a balance: declined: insufficient_funds', balance: 0 },
  'LOYALTY-0300': { meaning: 'loyalty account worth $3.00', balance: 300 },
  'LOYALTY-0000': { meaning: 'loyalty account without points: declined: insufficient_funds', balance: 0 },
};
