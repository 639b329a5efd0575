import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { Dialect } from '../../src/mock/dialect/dialect.js';
import { type Fault, FaultQueue } from '../../src/mock/faults/faults.js';
import type { RawRequest, ResponseOutcome } from '../../src/mock/kernel/exchange.js';
import { Kernel } from '../../src/mock/kernel/kernel.js';
import { BASE_PATH } from '../../src/mock/kernel/request.js';
import { prismOf } from './prism.js';

// A setup file of vitest: what the tests of a file sent to mock services, over whichever transport, and what came back is
// held against the document by Prism, once they have ended. Tests, clocks and connections notice nothing of it.

interface Exchanged {
  readonly request: RawRequest;
  readonly response: ResponseOutcome;
}

const { CONTRACT_DOCUMENT, CONTRACT_TOOLS, CONTRACT_VERDICT } = process.env as Record<string, string>;
const exchanged = new Map<string, Exchanged>();

// A service that a test makes fail, or lets speak otherwise than the document, is none to hold against it; nor is the page
// of a gateway in front of it.
const otherwise = new WeakSet<RawRequest['headers']>();
let fault: Fault | undefined;

const take = FaultQueue.prototype.take;
FaultQueue.prototype.take = function (...sent) {
  fault = take.apply(this, sent);
  return fault;
};

const respond = Dialect.prototype.respond;
Dialect.prototype.respond = function (route, request, state, handler) {
  if (Object.keys(this.choices).length > 0) otherwise.add(request.headers);
  return respond.call(this, route, request, state, handler);
};

const begin = Kernel.prototype.begin;
Kernel.prototype.begin = function (request) {
  fault = undefined;
  const exchange = begin.call(this, request);
  if (fault) return exchange;
  return {
    ...exchange,
    run() {
      const outcome = exchange.run();
      outcome.then(
        (response) => void (response.kind === 'response' && keep({ request, response })),
        () => {},
      );
      return outcome;
    },
  };
};

/** What changes from one exchange to the next, and of which Prism sees the form alone. */
const CHANGING = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|tk_\w+/g;

function keep({ request, response }: Exchanged): void {
  if (otherwise.has(request.headers) || response.headers['content-type'] === 'text/html') return;
  const text = `${request.method} ${request.target} ${request.body} ${response.status} ${response.body}`;
  const name = createHash('sha1').update(text.replace(CHANGING, '#')).digest('hex');
  if (!exchanged.has(name)) exchanged.set(name, { request, response });
}

afterAll(async () => {
  const prism = await prismOf(CONTRACT_DOCUMENT!, CONTRACT_TOOLS!);
  for (const { request, response } of exchanged.values()) {
    const { method, target, headers, body = '' } = request;
    const [path = '', query = ''] = target.slice(BASE_PATH.length).split('?');
    const answered = { statusCode: response.status, headers: response.headers, text: response.body ?? '' };
    await prism.hold({ method, path, query: new URLSearchParams(query), headers, body }, async () => answered);
  }
  exchanged.clear();
  appendFileSync(CONTRACT_VERDICT!, `${JSON.stringify(prism.verdict())}\n`);
}, 300_000);
