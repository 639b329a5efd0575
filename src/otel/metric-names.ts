/** What one metric is called, and what it counts. */
export interface Metric {
  /** Name of the instrument, such as `online_ordering.retries`. */
  readonly name: string;
  /** A counter only grows; a histogram spreads values over buckets. */
  readonly kind: 'counter' | 'histogram';
  /** Unit after UCUM: `s`, or what is counted, `{retry}`. */
  readonly unit: string;
  /** What is measured, in one sentence. */
  readonly description: string;
}

const TABLE = {
  requestDuration: {
    name: 'http.client.request.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time of one attempt, from sending to the last byte.',
  },
  callDuration: {
    name: 'online_ordering.call.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time of one call with all its attempts and waits.',
  },
  retries: {
    name: 'online_ordering.retries',
    kind: 'counter',
    unit: '{retry}',
    description: 'Attempts after a failure.',
  },
  cooldownWait: {
    name: 'online_ordering.cooldown.wait',
    kind: 'histogram',
    unit: 's',
    description: 'Length of each cool-down after a 429.',
  },
  tokens: {
    name: 'online_ordering.token.renewals',
    kind: 'counter',
    unit: '{token}',
    description: 'What became of access tokens: requested, obtained, shared, rejected, renewal_failed.',
  },
  budget: {
    name: 'online_ordering.retry_budget.exhausted',
    kind: 'counter',
    unit: '{retry}',
    description: 'Retries that were not made, since too many calls failed at once.',
  },
  unknownOutcomes: {
    name: 'online_ordering.outcome.unknown',
    kind: 'counter',
    unit: '{call}',
    description: 'Writes of which no response tells whether they were executed.',
  },
  drift: {
    name: 'online_ordering.drift',
    kind: 'counter',
    unit: '{difference}',
    description: 'Differences from the contract, each counted once per kind and place.',
  },
  deliveries: {
    name: 'online_ordering.webhook.deliveries',
    kind: 'counter',
    unit: '{delivery}',
    description: 'Webhook deliveries by what became of them: handled, duplicate (repeated), a refusal, failed.',
  },
  deliveryAge: {
    name: 'online_ordering.webhook.age',
    kind: 'histogram',
    unit: 's',
    description: 'How late events arrive: from the time of the event to the end of its delivery.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** Every metric: its name, kind, unit and what it counts. The dashboard and the guide are checked against this table. */
export const METRICS: Readonly<Record<keyof typeof TABLE, Metric>> = TABLE;
