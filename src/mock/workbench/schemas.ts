import type { Schema } from './schema.js';

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer' } as const;

/** A value that may be missing. */
const orNull = <Given extends Schema>(schema: Given) => ({ anyOf: [schema, { type: 'null' }] }) as const;

/** One attempt to deliver, as a list shows it. */
const DELIVERY = {
  number: COUNT,
  eventId: TEXT,
  eventType: TEXT,
  subscriptionId: orNull(TEXT),
  url: TEXT,
  signature: TEXT,
  attempt: COUNT,
  status: orNull(COUNT),
  error: orNull(TEXT),
  delivered: { type: 'boolean' },
  at: TEXT,
} as const;

/** A request, as a list shows it. */
const REQUEST = {
  number: COUNT,
  method: TEXT,
  path: TEXT,
  route: orNull(TEXT),
  idempotencyKey: orNull(TEXT),
  attempt: {
    ...orNull(COUNT),
    description: 'Which request this is, from 1 on, with its method, path and key.',
  },
  at: TEXT,
  status: orNull(COUNT),
  ending: { enum: ['response', 'refused', 'reset', 'closed', 'stalled', 'under way'] },
  durationMs: { ...orNull({ type: 'number' }), description: 'Real milliseconds.' },
  replayed: { type: 'boolean' },
  fault: orNull({ $ref: '#/components/schemas/Fault' }),
} as const;

/** Headers and body of a response; both are missing when there was none. */
const RESPONSE = { responseHeaders: orNull({ type: 'object' }), responseBody: orNull(TEXT) } as const;

/** Shapes of responses, by their name in the document. */
export const SCHEMAS = {
  Error: {
    type: 'object',
    description: 'What was wrong, and what to write instead.',
    properties: {
      error: {
        type: 'object',
        properties: { status: COUNT, message: TEXT },
        required: ['status', 'message'],
      },
    },
    required: ['error'],
  },
  Order: { type: 'object', description: 'An order, as the interface document describes it.' },
  Cart: { type: 'object', description: 'A cart, as the interface document describes it.' },
  Menu: { type: 'object', description: 'A menu, as the interface document describes it.' },
  Location: { type: 'object', description: 'A location, as the interface document describes it.' },
  Event: { type: 'object', description: 'An event, as the interface document describes it.' },
  Credentials: {
    type: 'object',
    properties: { baseUrl: TEXT, clientId: TEXT, clientSecret: TEXT },
    required: ['baseUrl', 'clientId', 'clientSecret'],
  },
  Clock: {
    type: 'object',
    properties: {
      now: { type: 'string', description: 'ISO 8601, on the service’s clock.' },
      running: { type: 'boolean', description: 'Whether time passes by itself.' },
    },
    required: ['now', 'running'],
  },
  Ledger: {
    type: 'object',
    description: 'Every movement of money of one order, and what it comes to, in cents.',
    properties: {
      entries: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kind: { enum: ['charge', 'void', 'refund'] },
            paymentId: TEXT,
            method: TEXT,
            cents: COUNT,
            idempotencyKey: orNull(TEXT),
            at: TEXT,
          },
        },
      },
      charged: COUNT,
      refunded: COUNT,
      net: { type: 'integer', description: 'What the customer has paid in the end.' },
    },
    required: ['entries', 'charged', 'refunded', 'net'],
  },
  Fault: {
    type: 'object',
    description:
      'What goes wrong with a request. At least one of fail, status, delayMs, body, set and remove says what.',
    properties: {
      fail: { enum: ['connection_refused', 'socket_reset', 'socket_close', 'stall'] },
      after: { enum: ['commit'], description: 'The service has done its work when things go wrong.' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      code: TEXT,
      message: TEXT,
      detail: TEXT,
      field: orNull(TEXT),
      changeReasons: { type: 'array', items: TEXT },
      retryAfterSeconds: { type: 'integer', minimum: 0 },
      delayMs: { type: 'number', minimum: 0, description: 'Milliseconds on the service’s clock.' },
      body: { enum: ['truncated', 'not_json', 'empty', 'html', 'drip', 'stall'] },
      set: { type: 'object', description: 'Values of the response that are others, by path.' },
      remove: {
        type: 'array',
        items: TEXT,
        description: 'Fields that the response does not have, by path.',
      },
      times: {
        anyOf: [{ type: 'integer', minimum: 1 }, { enum: ['all'] }],
        description: 'How many requests it meets; 1 when left out.',
      },
    },
    additionalProperties: false,
  },
  WaitingFault: {
    type: 'object',
    properties: {
      endpoint: TEXT,
      fault: { $ref: '#/components/schemas/Fault' },
      left: { anyOf: [COUNT, { enum: ['all'] }] },
    },
    required: ['endpoint', 'fault', 'left'],
  },
  Request: {
    type: 'object',
    description: 'A request that reached the service since the workbench was opened.',
    properties: REQUEST,
    required: Object.keys(REQUEST),
  },
  RequestDetails: {
    type: 'object',
    description: 'A request with headers and bodies; secrets and tokens are left out.',
    properties: { ...REQUEST, requestHeaders: { type: 'object' }, requestBody: orNull(TEXT), ...RESPONSE },
    required: Object.keys(REQUEST),
  },
  Delivery: {
    type: 'object',
    description: 'One attempt to deliver one event.',
    properties: DELIVERY,
    required: Object.keys(DELIVERY),
  },
  DeliveryDetails: {
    type: 'object',
    description: 'One attempt, with the bytes that were sent and the beginning of the response.',
    properties: { ...DELIVERY, requestBody: TEXT, ...RESPONSE },
    required: [...Object.keys(DELIVERY), 'requestBody'],
  },
} as const satisfies Record<string, Schema>;

export const ref = (name: keyof typeof SCHEMAS): Schema => ({ $ref: `#/components/schemas/${name}` });

export const listOf = (items: Schema): Schema => ({ type: 'array', items });

export const DONE: Schema = { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] };
export const done = { done: true } as const;

const DURATION: Schema = {
  anyOf: [
    { type: 'string', examples: ['25h', '90s'] },
    { type: 'number', minimum: 0 },
  ],
  description: "Milliseconds, or text such as '25h', '5m', '90s' or '250ms'.",
};

export const duration = (description: string): Schema => ({
  ...DURATION,
  description: `${description} ${DURATION.description}`,
});

/** An object with these fields and no others; those that end in `?` may be left out. */
export function fields(shape: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(shape);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : [name])),
    additionalProperties: false,
  };
}

export const text = (description: string): Schema => ({ type: 'string', minLength: 1, description });
