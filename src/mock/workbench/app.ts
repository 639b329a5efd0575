import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { DEEPEST_BODY, nestsDeeperThan } from '../kernel/request.js';
import { WORKBENCH_PATH } from '../transport/listen.js';
import { type Bench, ControlError, type ControlRoute } from './control-route.js';
import type { Live } from './live.js';
import { openApiOf } from './openapi.js';
import { readPage } from './page-text.js';
import { controlRoutes } from './routes/index.js';
import { problemOf } from './schema.js';
import type { Topic } from './taps.js';

export interface AppDeps {
  readonly bench: Bench;
  readonly live: Live;
  /** Tells those who look on what a route has changed. */
  readonly changed: (topic: Topic) => void;
}

/** The control API and the page, for visitors that were let in. */
export function createApp({ bench, live, changed }: AppDeps): Hono {
  // Not strict: the page has its address with and without the slash.
  const app = new Hono({ strict: false }).basePath(WORKBENCH_PATH);
  for (const route of controlRoutes) {
    app.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      const result = await route.run(await inputOf(context, route), bench);
      if (route.changes) changed(route.changes);
      return context.json(result as object);
    });
  }
  app.get('/openapi.json', (context) => context.json(openApiOf(controlRoutes)));
  app.get('/events', () => new Response(live.open(), { headers: { 'content-type': 'text/event-stream' } }));
  app.get('/', async () => pageResponse(await readPage()));
  app.notFound((context) => failure(404, noRoute(context.req.method, context.req.path)));
  app.onError((error) => {
    if (error instanceof ControlError) return failure(error.status, error.message);
    // Controls refuse a value that is none with a TypeError, and what the state forbids with an Error.
    return failure(error instanceof TypeError ? 400 : 409, error.message);
  });
  return app;
}

async function inputOf(context: Context, route: ControlRoute) {
  const query = context.req.query();
  for (const [name, value] of Object.entries(query)) {
    const schema = route.query?.[name];
    if (!schema) {
      const known = Object.keys(route.query ?? {}).join(', ') || 'none';
      throw new ControlError(400, `There is no query parameter "${name}"; those of this route: ${known}.`);
    }
    const problem = problemOf(schema, /^\d+$/.test(value) ? Number(value) : value, name);
    if (problem !== undefined) throw new ControlError(400, problem);
  }
  if (route.method !== 'POST') return { params: context.req.param(), query, body: {} };
  const text = await context.req.text();
  const body = text.trim() === '' ? {} : parsed(text);
  const problem = problemOf(route.body ?? { type: 'object', additionalProperties: false }, body);
  if (problem !== undefined) throw new ControlError(400, problem);
  return { params: context.req.param(), query, body: body as Readonly<Record<string, unknown>> };
}

function parsed(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new ControlError(400, `The body is no JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (!nestsDeeperThan(body, DEEPEST_BODY)) return body;
  throw new ControlError(400, `The body nests deeper than ${DEEPEST_BODY} levels; write a flatter one.`);
}

function noRoute(method: string, path: string): string {
  const below = path.slice(WORKBENCH_PATH.length);
  const methods = controlRoutes.filter((route) => matches(route.path, below)).map((route) => route.method);
  if (methods.length > 0) return `${path} has no ${method}; write ${methods.join(' or ')}.`;
  return `There is no ${path}. GET ${WORKBENCH_PATH}/openapi.json describes what there is.`;
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** An error, said as JSON. */
export function failure(status: number, message: string): Response {
  return Response.json({ error: { status, message } }, { status });
}

/** Nothing is loaded from elsewhere, and nothing runs but what stands in the page. */
function pageResponse(html: string): Response {
  const hashes = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
      .map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
      .join(' ');
  const policy = [
    "default-src 'none'",
    `script-src ${hashes('script')}`,
    `style-src ${hashes('style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}
