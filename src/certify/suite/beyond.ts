/** What the interface document says to clients, or leaves out on purpose: no request can show it. Section, row, reason. */
export const BEYOND: readonly (readonly [section: string, row: string, reason: string])[] = [
  ['Cart rules 7', 'valid tenders are the intersection of allowed_tenders', 'it is guidance for clients'],
  [
    'Payment rules 2',
    'tenders are submitted in order: points, gift cards, cards',
    'it is a rule for clients; gap PAY-25',
  ],
  ['Payment rules 3', 'each payment is waited for before the next', 'it is a rule for clients; gap PAY-25'],
  ['Payment rules 7', 'how an order moves to DELIVERED or RETURNED', 'the interface document does not show it'],
  ['Authentication 7', 'token requests come from servers alone', 'it is a rule for clients'],
  ['Authentication 8', 'features are configured for each partner', 'it is planned'],
  ['Events rules 3', 'a poll every 5 minutes is the fallback', 'it is a rule for clients'],
  ['Events rules 4', 'field names of payloads', 'the interface document does not show them; gaps EVT-1 to EVT-7'],
  ['Events rules 5', 'what is signed, and how', 'the interface document does not show it; gap SIG-1 decides it'],
  [
    'Errors rules 5',
    'a cart at a location that takes no orders',
    'the document does not show it; gap LOC-5 decides it',
  ],
  ['Errors, row 403 insufficient permissions', 'is the response', 'the interface document names no occasion'],
  ['Errors, row 422 payment required', 'is the response', 'the document names no occasion; gap REF-8 decides it'],
  ['Limits, backoff', 'Retry-After doubled on each retry, with jitter', 'it is guidance for clients'],
  ['Limits, menu metadata polling', 'every 5 or 30 minutes', 'it is a rule for clients'],
  ['Limits, order polling after payment', '2 s, up to 30 s', 'it is a rule for clients'],
  ['Limits, token lifetime', 'a token ends after 86400 seconds', 'it takes a day'],
  ['Versioning 3', 'enumerations may grow', 'it is a rule for clients'],
  ['Versioning 4', 'the policy of deprecation', 'the interface document does not show it'],
];
