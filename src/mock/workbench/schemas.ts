import type { Schema } from './schema.js';

/** Shapes that several routes answer with, by their name in the document. */
export const SCHEMAS = {
  Error: {
    type: 'object',
    description: 'What was wrong, and what to write instead.',
    properties: {
      error: {
        type: 'object',
        properties: { status: { type: 'integer' }, message: { type: 'string' } },
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
    properties: { baseUrl: { type: 'string' }, clientId: { type: 'string' }, clientSecret: { type: 'string' } },
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
            paymentId: { type: 'string' },
            method: { type: 'string' },
            cents: { type: 'integer' },
            idempotencyKey: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            at: { type: 'string' },
          },
        },
      },
      charged: { type: 'integer' },
      refunded: { type: 'integer' },
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
      code: { type: 'string' },
      message: { type: 'string' },
      detail: { type: 'string' },
      field: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      changeReasons: { type: 'array', items: { type: 'string' } },
      retryAfterSeconds: { type: 'integer', minimum: 0 },
      delayMs: { type: 'number', minimum: 0, description: 'Milliseconds on the service’s clock.' },
      body: { enum: ['truncated', 'not_json', 'empty', 'html', 'drip', 'stall'] },
      set: { type: 'object', description: 'Values of the response that are others, by path.' },
      remove: {
        type: 'array',
        items: { type: 'string' },
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
      endpoint: { type: 'string' },
      fault: { $ref: '#/components/schemas/Fault' },
      left: { anyOf: [{ type: 'integer' }, { enum: ['all'] }] },
    },
    required: ['endpoint', 'fault', 'left'],
  },
  Request: {
    type: 'object',
    description: 'A request that reached the service since the workbench was opened.',
    properties: {
      number: { type: 'integer' },
      method: { type: 'string' },
      path: { type: 'string' },
      route: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      idempotencyKey: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      attempt: {
        anyOf: [{ type: 'integer' }, { type: 'null' }],
        description: 'Which request this is, from 1 on, with its method, path and key.',
      },
      at: { type: 'string' },
      status: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      ending: { enum: ['response', 'refused', 'reset', 'closed', 'stalled', 'under way'] },
      durationMs: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'Real milliseconds.' },
      replayed: { type: 'boolean' },
      fault: { anyOf: [{ $ref: '#/components/schemas/Fault' }, { type: 'null' }] },
    },
    required: ['number', 'method', 'path', 'at', 'ending'],
  },
  RequestDetails: {
    type: 'object',
    description: 'A request with headers and bodies; secrets and tokens are left out.',
    properties: {
      number: { type: 'integer' },
      requestHeaders: { type: 'object' },
      requestBody: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      responseHeaders: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      responseBody: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  },
  Delivery: {
    type: 'object',
    description: 'One attempt to deliver one event.',
    properties: {
      number: { type: 'integer' },
      eventId: { type: 'string' },
      eventType: { type: 'string' },
      subscriptionId: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      url: { type: 'string' },
      signature: { type: 'string' },
      attempt: { type: 'integer' },
      status: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      error: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      delivered: { type: 'boolean' },
      at: { type: 'string' },
    },
    required: ['number', 'eventId', 'eventType', 'url', 'signature', 'attempt', 'delivered', 'at'],
  },
  DeliveryDetails: {
    type: 'object',
    description: 'One attempt, with the bytes that were sent and the beginning of the response.',
    properties: {
      number: { type: 'integer' },
      signature: { type: 'string' },
      requestBody: { type: 'string' },
      status: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      responseHeaders: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      responseBody: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['number', 'signature', 'requestBody'],
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
