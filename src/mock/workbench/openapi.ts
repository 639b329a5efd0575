import { WORKBENCH_PATH } from '../transport/listen.js';
import type { ControlRoute } from './control-route.js';
import type { Schema } from './schema.js';
import { ref, SCHEMAS } from './schemas.js';

const json = (schema: Schema) => ({ 'application/json': { schema } });

const ERRORS = {
  400: 'The request says something that is not understood; the message says what to write instead.',
  403: 'A foreign Host or Origin.',
  404: 'There is no such thing.',
  409: 'The state of the service forbids it.',
  415: 'The body is not sent as application/json.',
} as const;

function operationOf(route: ControlRoute) {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(route.query ?? {}).map(([name, schema]) => ({ name, in: 'query', schema }));
  const parameters = [...inPath, ...inQuery];
  const body = route.method === 'POST' ? (route.body ?? { type: 'object' }) : undefined;
  const isBodyNeeded = (route.body?.required ?? []).length > 0;
  const errors = Object.entries(ERRORS).map(([status, description]) => [
    status,
    { description, content: json(ref('Error')) },
  ]);
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: isBodyNeeded, content: json(body) } } : {}),
    responses: { 200: { description: 'Done.', content: json(route.response) }, ...Object.fromEntries(errors) },
  };
}

const LIVE = {
  get: {
    operationId: 'follow',
    tags: ['Requests'],
    summary:
      'Server-sent events: `request` for each request, when it comes and when it is over; `changed` with topics.',
    responses: { 200: { description: 'A stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
  },
};

/** The control API as an OpenAPI document. */
export function openApiOf(routes: readonly ControlRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock online ordering service',
      version: '1.0.0',
      description:
        'Everything that a test in TypeScript does with `service.*`. Names of fields are those of the options in TypeScript; orders, carts, menus and events have the names of the interface document.',
    },
    servers: [{ url: WORKBENCH_PATH }],
    paths: { ...paths, '/events': LIVE },
    components: { schemas: SCHEMAS },
  };
}
