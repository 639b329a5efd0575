import { endpoints } from '../../endpoints/endpoints.js';
import { isObject, type WireResponse } from '../../wire/wire.js';
import type { Scene } from '../scene.js';

const ROUTES = Object.keys(endpoints).map((endpoint) => {
  const [method = '', template = ''] = endpoint.split(' ');
  return { endpoint, method, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

/**
 * How the contract suite reaches the service: as `fetch`, translated between the names of this package and the readings that
 * were decided, with what is made noted for the cleaning up.
 */
export function suiteFetch(scene: Scene): typeof globalThis.fetch {
  const { wire } = scene;
  return async (input, init = {}) => {
    const url = new URL(String(input));
    const path = url.pathname.slice(new URL(wire.credentials.baseUrl).pathname.length);
    const method = init.method ?? 'GET';
    const route = ROUTES.find((one) => one.method === method && one.pattern.test(path));
    const endpoint = route?.endpoint ?? `${method} ${path}`;
    for (const [name, value] of Object.entries(scene.dialect.writeQuery(endpoint, queryOf(url)))) {
      url.searchParams.set(name, String(value));
    }
    const body = translated(scene, endpoint, init.body as string | undefined);
    const headers = headersOf(scene, init.headers);
    if (body !== undefined) headers['content-type'] ??= 'application/json';
    const response = await wire.relay(endpoint, url, { method, headers, body });
    noteWhatWasMade(scene, endpoint, response);
    return responseOf(scene, endpoint, await wholeCart(scene, endpoint, response));
  };
}

const queryOf = (url: URL): Readonly<Record<string, string>> => Object.fromEntries(url.searchParams);

/** Where an older token ends with a newer one (gap LIM-2), the newest that was granted stands in its place. */
function headersOf(scene: Scene, given: RequestInit['headers']): Record<string, string> {
  const headers = Object.fromEntries(new Headers(given));
  const token = headers.authorization?.replace(/^Bearer /, '');
  const isStale = scene.choices['LIM-2'] === 'revoked' && token !== undefined && scene.wire.granted.has(token);
  return isStale ? { ...headers, authorization: `Bearer ${scene.wire.token}` } : headers;
}

/** The text as it is where it is no JSON: rows send such texts on purpose. */
function translated(scene: Scene, endpoint: string, text: string | undefined): string | undefined {
  let body: unknown;
  try {
    body = text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
  const written = scene.dialect.writeBody(endpoint, body);
  return written === body ? text : JSON.stringify(written);
}

function noteWhatWasMade(scene: Scene, endpoint: string, { status, data }: WireResponse): void {
  if (status >= 300 || !isObject(data)) return;
  if (endpoint === 'POST /auth/token' && typeof data.access_token === 'string') scene.wire.useToken(data.access_token);
  if (endpoint.endsWith('/checkout') && typeof data.order_id === 'string') scene.note('orders', data.order_id);
  if (endpoint === 'POST /webhooks') scene.note('webhooks', String(data.id ?? data.webhook_id));
}

/** A new cart that came without some of its fields (gap BODY-4), read again with all of them. */
async function wholeCart({ wire, choices }: Scene, endpoint: string, response: WireResponse): Promise<WireResponse> {
  const isPartial = choices['BODY-4'] === 'partial' && endpoint === 'POST /carts' && response.status === 201;
  if (!isPartial || !isObject(response.data)) return response;
  const { data } = await wire.send('GET /carts/{cart_id}', { params: { cart_id: String(response.data.id) } });
  return isObject(data) ? { ...response, data, text: JSON.stringify(data) } : response;
}

function responseOf(scene: Scene, endpoint: string, { status, headers, data, text, failure }: WireResponse): Response {
  if (failure !== undefined) throw new Error(`no response (${failure})`);
  const isSuccess = status >= 200 && status < 300;
  const read = isSuccess ? scene.dialect.read(endpoint, data) : errorInPlace(data);
  const ours = asCreated(scene, endpoint, { status, data: read });
  const isEmpty = status === 204 || status === 304;
  const { 'content-encoding': _, 'content-length': __, ...rest } = headers;
  const body = isEmpty ? null : ours.data === data ? text : JSON.stringify(ours.data);
  return new Response(body, { status: ours.status, headers: rest });
}

/** A payment or refund that was made, told in another way (gaps PAY-2 and REF-4). */
function asCreated(
  { choices }: Scene,
  endpoint: string,
  told: { readonly status: number; readonly data: unknown },
): typeof told {
  const isPayment = endpoint === 'POST /orders/{order_id}/payments';
  const isRefund = endpoint === 'POST /orders/{order_id}/refunds';
  if (told.status >= 300 || !(isPayment || isRefund)) return told;
  const inOrder = isPayment && choices['PAY-2'] === 'order' && isObject(told.data) && told.data.payments;
  if (Array.isArray(inOrder)) return { ...told, data: inOrder.at(-1) };
  const is200 = isPayment ? choices['PAY-2'] === 'payment_200' : choices['REF-4'] === 'refund_200';
  return is200 ? { ...told, status: 201 } : told;
}

/** An error whose reasons stand beside it (gap ERR-1), with them inside. */
function errorInPlace(data: unknown): unknown {
  if (!isObject(data) || !isObject(data.error) || !Array.isArray(data.change_reasons)) return data;
  const { error, change_reasons, ...rest } = data;
  return { ...rest, error: { ...error, change_reasons } };
}
