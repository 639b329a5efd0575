/** The situations behind the six error codes. */
export const SCENARIOS = [
  'validation_failed',
  'malformed_json',
  'missing_field',
  'invalid_parameter',
  'missing_authorization',
  'invalid_token',
  'invalid_credentials',
  'malformed_authorization',
  'insufficient_permissions',
  'location_not_in_scope',
  'foreign_resource',
  'blocked_on_the_way',
  'cart_not_found',
  'order_not_found',
  'location_not_found',
  'menu_item_not_found',
  'cart_item_not_found',
  'promo_not_found',
  'webhook_not_found',
  'cart_already_checked_out',
  'cart_abandoned',
  'idempotency_key_reused',
  'promo_already_applied',
  'expected_total_mismatch',
  'duplicate_webhook_subscription',
  'order_not_cancellable',
  'modifier_validation_failed',
  'item_unavailable',
  'quantity_limit',
  'cart_empty',
  'handoff_missing',
  'handoff_invalid',
  'payment_declined',
  'refund_exceeds_balance',
  'payment_required',
  'invalid_tender',
  'invalid_delivery_address',
  'promo_not_recognized',
  'promo_expired',
  'promo_already_used',
  'promo_minimum_not_met',
  'promo_not_applicable',
  'customer_id_too_long',
  'customer_id_invalid',
  'below_minimum_order',
  'tender_not_allowed',
  'location_not_orderable',
  'rate_limited',
  'too_many_token_requests',
  'unexpected_error',
  'service_unavailable',
  'unknown',
] as const;

/** One of `SCENARIOS`, or one that came later. A situation that has no name is `'unknown'`. */
export type Scenario = (typeof SCENARIOS)[number] | (string & {});

interface Row {
  readonly status: number;
  /** Matched against `message`, then against `detail`; lower-cased. */
  readonly pattern: RegExp;
  readonly scenario: (typeof SCENARIOS)[number];
}

/**
 * One table from status and text to situation; the first row that matches wins. The service's texts are prose, so a
 * row looks for the words that carry the meaning and nothing more.
 *
 * Interface document, "Errors".
 */
const ROWS: readonly Row[] = [
  { status: 400, pattern: /malformed json|invalid json/, scenario: 'malformed_json' },
  { status: 400, pattern: /missing required field/, scenario: 'missing_field' },
  { status: 400, pattern: /invalid parameter/, scenario: 'invalid_parameter' },
  { status: 400, pattern: /validation failed|invalid uuid|bad type/, scenario: 'validation_failed' },
  { status: 401, pattern: /missing authorization/, scenario: 'missing_authorization' },
  { status: 401, pattern: /client credentials/, scenario: 'invalid_credentials' },
  { status: 401, pattern: /malformed authorization/, scenario: 'malformed_authorization' },
  { status: 401, pattern: /token/, scenario: 'invalid_token' },
  { status: 403, pattern: /location/, scenario: 'location_not_in_scope' },
  { status: 403, pattern: /another partner|belongs to/, scenario: 'foreign_resource' },
  { status: 403, pattern: /permission/, scenario: 'insufficient_permissions' },
  { status: 404, pattern: /menu item/, scenario: 'menu_item_not_found' },
  { status: 404, pattern: /cart item/, scenario: 'cart_item_not_found' },
  { status: 404, pattern: /promo/, scenario: 'promo_not_found' },
  { status: 404, pattern: /webhook|subscription/, scenario: 'webhook_not_found' },
  { status: 404, pattern: /cart/, scenario: 'cart_not_found' },
  { status: 404, pattern: /order/, scenario: 'order_not_found' },
  { status: 404, pattern: /location/, scenario: 'location_not_found' },
  { status: 409, pattern: /idempotency/, scenario: 'idempotency_key_reused' },
  { status: 409, pattern: /expected total|expected_total/, scenario: 'expected_total_mismatch' },
  { status: 409, pattern: /promo/, scenario: 'promo_already_applied' },
  { status: 409, pattern: /subscription|webhook/, scenario: 'duplicate_webhook_subscription' },
  { status: 409, pattern: /cancel|being prepared|preparation/, scenario: 'order_not_cancellable' },
  { status: 422, pattern: /modifier/, scenario: 'modifier_validation_failed' },
  { status: 422, pattern: /quantity/, scenario: 'quantity_limit' },
  { status: 422, pattern: /cart is empty|empty cart/, scenario: 'cart_empty' },
  { status: 422, pattern: /missing handoff/, scenario: 'handoff_missing' },
  { status: 422, pattern: /declined/, scenario: 'payment_declined' },
  { status: 422, pattern: /refund/, scenario: 'refund_exceeds_balance' },
  { status: 422, pattern: /payment required/, scenario: 'payment_required' },
  { status: 422, pattern: /not allowed for restricted|payment method not allowed/, scenario: 'tender_not_allowed' },
  { status: 422, pattern: /invalid tender/, scenario: 'invalid_tender' },
  { status: 422, pattern: /delivery address/, scenario: 'invalid_delivery_address' },
  { status: 422, pattern: /not available for online ordering/, scenario: 'location_not_orderable' },
  { status: 422, pattern: /item is not available|out of stock|sale hours/, scenario: 'item_unavailable' },
  { status: 422, pattern: /not recognized/, scenario: 'promo_not_recognized' },
  { status: 422, pattern: /promo.*expired|expired.*promo/, scenario: 'promo_expired' },
  { status: 422, pattern: /already.*used/, scenario: 'promo_already_used' },
  { status: 422, pattern: /below minimum order/, scenario: 'below_minimum_order' },
  { status: 422, pattern: /minimum/, scenario: 'promo_minimum_not_met' },
  { status: 422, pattern: /not applicable/, scenario: 'promo_not_applicable' },
  { status: 422, pattern: /customer id.*(too long|long)/, scenario: 'customer_id_too_long' },
  { status: 422, pattern: /customer id/, scenario: 'customer_id_invalid' },
  { status: 422, pattern: /handoff/, scenario: 'handoff_invalid' },
  { status: 429, pattern: /token/, scenario: 'too_many_token_requests' },
  { status: 429, pattern: /(?:)/, scenario: 'rate_limited' },
  { status: 500, pattern: /unavailable/, scenario: 'service_unavailable' },
  { status: 500, pattern: /unexpected/, scenario: 'unexpected_error' },
  { status: 503, pattern: /(?:)/, scenario: 'service_unavailable' },
];

export interface ScenarioFacts {
  readonly status: number;
  readonly message: string | null;
  readonly detail: string | null;
  readonly hasChangeReasons: boolean;
}

/** Names the situation behind an error response. Never throws. */
export function scenarioOf({ status, message, detail, hasChangeReasons }: ScenarioFacts): Scenario {
  if (status === 409 && hasChangeReasons) return 'expected_total_mismatch';
  const texts = [message ?? '', detail ?? ''].map((text) => text.slice(0, 1000).toLowerCase());
  const [text = '', more = ''] = texts;
  if (status === 409 && /checked out|not active|abandoned/.test(text)) {
    // A text may name both states as the possible ones; one that names a single state decides.
    const isAbandoned = texts.some((words) => /abandoned/.test(words) && !/checked.out/.test(words));
    return isAbandoned ? 'cart_abandoned' : 'cart_already_checked_out';
  }
  const rows = ROWS.filter((row) => row.status === status);
  const match = rows.find((row) => row.pattern.test(text)) ?? rows.find((row) => row.pattern.test(more));
  return match?.scenario ?? 'unknown';
}
