import * as contract from '../../src/contract/index.js';
import { type EndpointName, endpointFacts, endpoints } from '../../src/endpoints/endpoints.js';
import { INTERFACE_VERSION } from '../../src/platform/version.js';
import { readDocstrings } from './docstrings.js';
import { ERROR_STATUSES, EVENT_WORDS, OPERATIONS, ORDER_FILTERS, TAGS } from './operations.js';
import { buildSchemas, type JsonSchema, nameOfSchema } from './schemas.js';
import { type Exchange, type Tour, takeTour } from './tour.js';

const GAPS =
  'Rows named by `x-gap` stand in `docs/interface-gaps.md` of the package: places where the interface document is silent, ' +
  'and the choice made there.';

/** The interface as an OpenAPI 3.1 document: schemas of the client, examples of the mock. */
export async function buildOpenApi(): Promise<object> {
  const tour = await takeTour();
  const schemas = buildSchemas(readDocstrings(), '#/components/schemas/');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const [method = '', path = ''] = name.split(' ');
    paths[path] ??= {};
    paths[path]![method.toLowerCase()] = operationOf(name, tour);
  }
  const webhooks = Object.entries(EVENT_WORDS).map(([type, words]) => [type, webhookOf(type, words, tour)]);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Online Ordering Service',
      version: INTERFACE_VERSION,
      summary: 'Locations, menus, carts, orders, payments, refunds and webhooks for partners.',
      description:
        `The interface as \`online-ordering-sdk\` understands it. ${GAPS} ` +
        'Open enumerations list the values known today; any other text is valid too.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: 'https://{host}/v1/online-ordering',
        description: 'Each partner has an address of its own, one for the sandbox and one for production.',
        variables: { host: { default: 'partner.example.com', description: 'The host of the partner.' } },
      },
    ],
    security: [{ accessToken: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(webhooks),
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', description: 'The `access_token` of `POST /auth/token`.' },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: sharedResponses(tour),
      schemas,
    },
  };
  // Records that only JSON Schema has a use for.
  const text = JSON.stringify(document);
  for (const name of Object.keys(schemas)) if (!text.includes(`"#/components/schemas/${name}"`)) delete schemas[name];
  return document;
}

/** The records as one document of JSON Schema 2020-12. */
export function buildJsonSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Records of the Online Ordering Service',
    description: `The interface ${INTERFACE_VERSION} as online-ordering-sdk understands it.`,
    $defs: buildSchemas(readDocstrings(), '#/$defs/'),
  };
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'A fresh UUID v4 for each operation. The same key within 24 hours gets the former success; an error is executed again.',
    schema: { type: 'string', format: 'uuid' },
    example: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: 'Opaque: `pagination.next_cursor` of the page before. Left out for the first page.',
    schema: { type: 'string' },
  },
};

const HEADERS = {
  RequestId: {
    description: 'Id of the request, for the support of the service (gap ERR-2).',
    'x-gap': ['ERR-2'],
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: {
    description: 'Whole seconds to wait at least.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};

function operationOf(name: EndpointName, { exchanges }: Tour) {
  const words = OPERATIONS[name];
  const own = exchanges.filter(({ operation }) => operation === name);
  const done = own.filter(({ status }) => status < 400);
  const parameters = parametersOf(name);
  return {
    operationId: words.id,
    tags: [words.tag],
    summary: words.summary,
    ...(words.description && { description: words.description }),
    ...(name === 'POST /auth/token' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(name, done),
    responses: {
      ...successOf(name, done),
      ...Object.fromEntries(
        [...new Set([400, 401, ...words.errors, 429, 500])].sort().map((status) => [status, errorOf(status, own)]),
      ),
    },
    'x-client-method': words.client,
    ...(words.gaps && { 'x-gap': words.gaps }),
  };
}

function parametersOf(name: EndpointName): object[] {
  const [method = '', path = ''] = name.split(' ');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => ({
    name: field,
    in: 'path',
    required: true,
    schema: field === 'code' ? { type: 'string', minLength: 1 } : { type: 'string', format: 'uuid' },
    ...(field === 'code' && { description: 'The promo code, in any case.' }),
  }));
  const { kind, largestPage } = endpointFacts(name)!;
  const page = largestPage === undefined ? [] : [{ $ref: '#/components/parameters/Cursor' }, limitOf(largestPage)];
  return [...inPath, ...keyOf(method, kind), ...page, ...filtersOf(name)];
}

/** PATCH supports the key, and does not ask for it ("Idempotency rules" 1). */
function keyOf(method: string, kind: string): object[] {
  if (kind !== 'write' && kind !== 'money') return [];
  if (method !== 'PATCH') return [{ $ref: '#/components/parameters/IdempotencyKey' }];
  return [{ ...PARAMETERS.IdempotencyKey, required: false }];
}

const limitOf = (largest: number) => ({
  name: 'limit',
  in: 'query',
  description: 'Records on a page.',
  schema: { type: 'integer', minimum: 1, maximum: largest, default: largest === 500 ? 100 : 20 },
});

function filtersOf(name: EndpointName): object[] {
  if (name === 'GET /carts/{cart_id}/promo-codes/validate') {
    return [{ name: 'code', in: 'query', required: true, description: 'In any case.', schema: { type: 'string' } }];
  }
  if (name !== 'GET /orders') return [];
  const schemas: Readonly<Record<keyof typeof ORDER_FILTERS, JsonSchema>> = {
    status: { type: 'string', enum: [...contract.ORDER_STATUSES] },
    fulfillment_status: { type: 'string', enum: [...contract.FULFILLMENT_STATUSES] },
    location_id: { type: 'string', format: 'uuid' },
    customer_id: { type: 'string', maxLength: 255 },
    date_from: { type: 'string' },
    date_to: { type: 'string' },
  };
  return Object.entries(ORDER_FILTERS).map(([field, description]) => ({
    name: field,
    in: 'query',
    description,
    schema: schemas[field as keyof typeof ORDER_FILTERS],
  }));
}

const json = (schema: object, examples: object = {}) => ({
  'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) },
});

/** The reference to the component that the schema of a body is. */
function reference(name: EndpointName, part: 'request' | 'response') {
  const schema = contract.operations[name][part];
  return schema && { $ref: `#/components/schemas/${nameOfSchema(schema())}` };
}

function requestBodyOf(name: EndpointName, done: readonly Exchange[]) {
  const schema = reference(name, 'request');
  if (!schema) return {};
  const required = !contract.operations[name].request!().safeParse(undefined).success;
  const examples = firstByName(
    done.filter(({ request }) => request !== undefined),
    ({ request }) => request,
  );
  return { requestBody: { required, content: json(schema, examples) } };
}

function successOf(name: EndpointName, done: readonly Exchange[]) {
  const [first] = done;
  if (!first) throw new Error(`The tour has no success of ${name}.`);
  const schema = reference(name, 'response');
  const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
  const description = first.status === 204 ? 'Done.' : first.status === 201 ? 'Created.' : 'The result.';
  const examples = firstByName(done, ({ response }) => shortened(response));
  return { [first.status]: { description, headers, ...(schema && { content: json(schema, examples) }) } };
}

const ERROR = { $ref: '#/components/schemas/ErrorEnvelope' };

/** The response of an error: with examples of its own where the tour met it at this endpoint, otherwise the shared one. */
function errorOf(status: number, own: readonly Exchange[]) {
  const met = own.filter((exchange) => exchange.status === status);
  const { name, description } = ERROR_STATUSES[status]!;
  if (met.length === 0) return { $ref: `#/components/responses/${name}` };
  return {
    description,
    headers: errorHeaders(status),
    content: json(
      ERROR,
      firstByName(met, ({ response }) => response),
    ),
  };
}

const errorHeaders = (status: number) => ({
  'x-request-id': { $ref: '#/components/headers/RequestId' },
  ...(status === 429 && { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }),
});

function sharedResponses({ exchanges }: Tour) {
  return Object.fromEntries(
    Object.entries(ERROR_STATUSES).map(([status, { name, description }]) => {
      const met = exchanges.filter((exchange) => exchange.status === Number(status));
      const examples = firstByName(met, ({ response }) => response);
      return [name, { description, headers: errorHeaders(Number(status)), content: json(ERROR, examples) }];
    }),
  );
}

/** Examples by name: the first of each name. */
function firstByName(exchanges: readonly Exchange[], shown: (exchange: Exchange) => unknown) {
  const found: Record<string, { value: unknown }> = {};
  for (const exchange of exchanges) {
    const value = shown(exchange);
    if (value !== undefined) found[exchange.name] ??= { value };
  }
  return found;
}

/** Records of a list or a menu that an example shows. */
const SHOWN = 2;

/** A menu has 150 KB: an example shows the first of its categories, items, groups and modifiers. */
function shortened(value: unknown): unknown {
  const isMenu = typeof value === 'object' && value !== null && 'categories' in value;
  return isMenu ? cut(value) : value;
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, cut(inner)]));
}

function webhookOf(type: string, { summary, schema }: { summary: string; schema: string }, { events }: Tour) {
  const example = events.find(({ event_type }) => event_type === type);
  if (!example) throw new Error(`The tour has no event ${type}.`);
  return {
    post: {
      operationId: `on${schema.replace(/Event$/, '')}`,
      tags: ['Webhooks'],
      summary,
      description: 'Verify the signature over the raw body; drop duplicates by `event_id`.',
      security: [],
      parameters: [SIGNATURE],
      requestBody: {
        required: true,
        content: json({ $ref: `#/components/schemas/${schema}` }, { example: { value: example } }),
      },
      responses: {
        '2XX': { description: 'Taken. Everything else is delivered again (gap SIG-3).' },
        '4XX': {
          description: 'Not taken, for example since the signature is wrong: it is delivered again (gap SIG-4).',
        },
      },
      'x-gap': ['EVT-8', 'EVT-9', 'SIG-1', 'SIG-3', 'SIG-4'],
    },
  };
}

const SIGNATURE = {
  name: 'X-Service-Signature',
  in: 'header',
  required: true,
  description: 'HMAC-SHA256 of the raw body with the `signing_secret`, in lower-case hex (gap SIG-1).',
  schema: { type: 'string' },
};
