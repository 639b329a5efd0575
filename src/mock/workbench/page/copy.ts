import type { ReqDetails } from './api';

const BASE = '/v1/online-ordering';
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a line for a shell; the token is taken from the environment. */
export function asCurl(request: ReqDetails, origin: string): string {
  const parts = ['curl', '-X', quoted(request.method), quoted(`${origin}${BASE}${request.path}`)];
  if (request.requestHeaders.authorization) parts.push('-H', '"Authorization: Bearer $TOKEN"');
  if (request.idempotencyKey) parts.push('-H', quoted(`Idempotency-Key: ${request.idempotencyKey}`));
  if (request.requestBody)
    parts.push('-H', quoted('Content-Type: application/json'), '--data', quoted(request.requestBody));
  return parts.join(' ');
}

/** The request as a line of the client, by its general method: that one exists for every endpoint. */
export function asSdk(request: ReqDetails): string {
  const [path = '', query] = request.path.split('?');
  const fields = [`method: ${JSON.stringify(request.method)}`, `path: ${JSON.stringify(path)}`];
  if (query) fields.push(`query: ${JSON.stringify(Object.fromEntries(new URLSearchParams(query)))}`);
  if (request.requestBody) fields.push(`body: ${literal(request.requestBody)}`);
  // With its own key it is a replay of the same request.
  const options = request.idempotencyKey ? `, { idempotencyKey: ${JSON.stringify(request.idempotencyKey)} }` : '';
  return `await client.request({ ${fields.join(', ')} }${options});`;
}

/** JSON is a literal of the language; anything else becomes a text, and never a part of the program. */
function literal(body: string): string {
  try {
    JSON.parse(body);
    return body;
  } catch {
    return JSON.stringify(body);
  }
}
