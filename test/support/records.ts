/** Records of the interface document, as small as they may be. */
export const LOCATION_ID = '5f0c2a7e-6c1d-4a52-9b2e-0d7d3b1f8a01';
export const OTHER_LOCATION_ID = '6a1d3b8f-7d2e-4b63-8c3f-1e8e4c2a9b02';
export const CART_ID = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
export const ORDER_ID = '3c4d5e6f-7a8b-4c9d-8e1f-2a3b4c5d6e06';
export const KEY = 'c1f5a7a0-5b1e-4c0e-8d57-1a4c9e3b2f10';
export const OTHER_KEY = 'd2a6b8b1-6c2f-4d1f-9e68-2b5daf4c3a21';

const at = '2026-01-31T10:00:00Z';
const usd = (amount: number) => ({ amount, currency: 'USD' });

export const cart = {
  id: CART_ID,
  location_id: LOCATION_ID,
  customer_id: null,
  status: 'ACTIVE',
  items: [],
  handoff_mode: null,
  age_verification_required: false,
  promo_codes: [],
  subtotal: usd(0),
  total_tax: usd(0),
  total_discount: usd(0),
  fees: [],
  total_fees: usd(0),
  total: usd(0),
  created_at: at,
  updated_at: at,
};

export const location = {
  id: LOCATION_ID,
  name: 'Elm Street',
  address: { street: '1 Elm Street', city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' },
  timezone: 'America/Chicago',
  online_ordering_enabled: true,
};

export const payment = {
  id: '4d5e6f7a-8b9c-4d0e-9f2a-3b4c5d6e7f07',
  order_id: ORDER_ID,
  payment_method: 'CREDIT_CARD',
  amount: usd(1250),
  status: 'COMPLETED',
  created_at: at,
};

export const cardPayment = { payment_method: 'CREDIT_CARD', amount: 1250, payment_token: 'tok_visa' } as const;

/** One page of a list. */
export function page(data: readonly unknown[], nextCursor: string | null = null, hasMore = nextCursor !== null) {
  return { data, pagination: { has_more: hasMore, next_cursor: nextCursor } };
}

/** The error envelope. */
export function envelope(code: string, message: string, rest: Record<string, unknown> = {}) {
  return {
    error: { code, message, detail: '', request_id: 'b0b6c5c4-1f0e-4a3d-9c2b-7e6f5a4d3c2b', field: null, ...rest },
  };
}
