/**
 * Names of attributes. Those of HTTP are the stable semantic conventions; the others begin with `online_ordering`. None
 * of them ever holds a personal value: no customer id, address, token, key of an instrument or text of the service.
 */
export const ATTRIBUTE = {
  method: 'http.request.method',
  template: 'url.template',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  status: 'http.response.status_code',
  resendCount: 'http.request.resend_count',
  errorType: 'error.type',
  attempts: 'online_ordering.attempts',
  outcome: 'online_ordering.outcome',
  orderId: 'online_ordering.order.id',
  result: 'online_ordering.result',
  waitMs: 'online_ordering.wait_ms',
  requestId: 'online_ordering.request.id',
  eventType: 'online_ordering.event.type',
  delivery: 'online_ordering.delivery',
  reason: 'online_ordering.reason',
  state: 'online_ordering.state',
} as const;

/** Without what is not known: an attribute is there, or it is not. */
export function known(
  attributes: Readonly<Record<string, string | number | undefined>>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}
