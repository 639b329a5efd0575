import { HttpResponse, http } from 'msw';
import { type SetupServer, setupServer } from 'msw/node';
import { CREDENTIALS, type TestService } from './test-service.js';

/** Puts a service behind `globalThis.fetch`, by MSW; requests to any other address fail. Close it in the test. */
export function interceptFetch(service: TestService): SetupServer {
  const server = setupServer(
    http.all(`${CREDENTIALS.baseUrl}/*`, async ({ request }) => {
      const reply = service.receive({
        method: request.method,
        path: request.url.slice(CREDENTIALS.baseUrl.length),
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
        at: service.clock.now(),
      });
      if (!('status' in reply)) return HttpResponse.error();
      return HttpResponse.json(reply.body as object, { status: reply.status, headers: reply.headers });
    }),
  );
  server.listen({ onUnhandledRequest: 'error' });
  return server;
}
