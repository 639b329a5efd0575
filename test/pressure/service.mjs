/**
 * The service under pressure, in a process of its own on loopback: it answers every path with a record, and misbehaves as
 * it is told. `POST /__set` changes how, `GET /__counts` tells what it has seen.
 */
import { createServer } from 'node:http';

const BASE = '/v1/online-ordering';
let behaviour = JSON.parse(process.argv[2] ?? '{}');
const counts = { requests: 0, tokenRequests: 0, accepted: 0, refused: 0 };
let window = { startedAt: 0, count: 0 };

/** The refusal of a fixed window, or nothing. */
function refusal() {
  const { limit, refuseAll } = behaviour;
  if (refuseAll) return { seconds: refuseAll };
  if (!limit) return undefined;
  const now = performance.now();
  if (now - window.startedAt >= limit.windowMs) window = { startedAt: now, count: 0 };
  window.count += 1;
  if (window.count <= limit.count) return undefined;
  return { seconds: Math.max(1, Math.ceil((window.startedAt + limit.windowMs - now) / 1000)) };
}

function respond(path, method) {
  if (path === '/auth/token') {
    counts.tokenRequests += 1;
    if (behaviour.tokenDown) return { status: 503, body: {} };
    return {
      status: 200,
      body: { access_token: `t${counts.tokenRequests}`, token_type: 'BEARER', expires_in: 86_400 },
    };
  }
  counts.requests += 1;
  if (behaviour.unauthorized && path.startsWith(behaviour.unauthorized)) {
    return {
      status: 401,
      body: { error: { code: 'AUTHENTICATION_ERROR', message: 'Invalid or expired access token' } },
    };
  }
  const refused = refusal();
  if (refused) {
    counts.refused += 1;
    const body = { error: { code: 'RATE_LIMIT_ERROR', message: 'Rate limit exceeded' } };
    return { status: 429, headers: { 'retry-after': String(refused.seconds) }, body };
  }
  if (behaviour.stall) return undefined;
  counts.accepted += 1;
  return { status: method === 'POST' ? 201 : 200, body: method === 'POST' ? behaviour.created : behaviour.record };
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const send = ({ status, headers, body }) => {
      const text = JSON.stringify(body ?? {});
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...headers,
      });
      response.end(text);
    };
    if (request.url === '/__counts') return send({ status: 200, body: counts });
    if (request.url === '/__set') {
      behaviour = { ...behaviour, ...JSON.parse(Buffer.concat(chunks).toString()) };
      server.keepAliveTimeout = behaviour.keepAliveMs ?? 5000;
      return send({ status: 200, body: {} });
    }
    const reply = respond(request.url.replace(BASE, '').split('?')[0], request.method);
    if (reply) setTimeout(() => send(reply), behaviour.latencyMs ?? 0);
  });
});
// Sockets that wait are closed at the moment, which a proxy may do too: Node would add a second for requests on their way.
server.keepAliveTimeoutBuffer = 0;
server.keepAliveTimeout = behaviour.keepAliveMs ?? 5000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
