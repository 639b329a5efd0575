import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { cart, ORDER_ID, page } from './records.js';
import { CREDENTIALS } from './scripted-service.js';

/** A few endpoints behind MSW, for the client over `globalThis.fetch`. */
export function mswService() {
  const seen: string[] = [];
  const { baseUrl } = CREDENTIALS;
  const note = ({ request }: { request: Request }): void => {
    seen.push(`${request.method} ${request.url.slice(baseUrl.length)}`);
  };
  const isSignedIn = ({ request }: { request: Request }) => request.headers.get('authorization') === 'Bearer t1';
  const unauthorized = () => HttpResponse.json({ error: { code: 'AUTHENTICATION_ERROR' } }, { status: 401 });

  const server = setupServer(
    http.post(`${baseUrl}/auth/token`, (info) => {
      note(info);
      return HttpResponse.json({ access_token: 't1', token_type: 'BEARER', expires_in: 86_400 });
    }),
    http.post(`${baseUrl}/carts`, (info) => {
      note(info);
      return isSignedIn(info) ? HttpResponse.json(cart, { status: 201 }) : unauthorized();
    }),
    http.get(`${baseUrl}/carts/:cartId`, (info) => {
      note(info);
      return isSignedIn(info) ? HttpResponse.json(cart) : unauthorized();
    }),
    http.get(`${baseUrl}/orders`, (info) => {
      note(info);
      const isSecond = new URL(info.request.url).searchParams.get('cursor') === 'c2';
      return HttpResponse.json(isSecond ? page([{ id: ORDER_ID }]) : page([{ id: ORDER_ID }, { id: ORDER_ID }], 'c2'));
    }),
  );
  return { server, seen };
}
