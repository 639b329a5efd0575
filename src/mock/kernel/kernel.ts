import { type Clock, sleep, systemClock } from '../../platform/clock.js';
import type { BehaviourSwitches } from '../behaviour/control.js';
import { removeAt, setAt } from '../faults/drift.js';
import { type Fault, type FaultQueue, refusalOf } from '../faults/faults.js';
import { isUuidV4 } from '../refusals/read-fields.js';
import {
  invalidBody,
  methodNotAllowed,
  missingField,
  notFound,
  type RateLimitTier,
  Refusal,
  type RefusalFacts,
} from '../refusals/refusal.js';
import type { ServiceState } from '../state/state.js';
import type { Activity } from '../time/activity.js';
import { authenticate } from './authenticate.js';
import type { Edge } from './edge.js';
import { errorEnvelope } from './envelope.js';
import type { Exchange, Outcome, RawRequest, ResponseOutcome } from './exchange.js';
import { checkFeature } from './features.js';
import type { IdempotencyCache } from './idempotency.js';
import type { MockReply, MockRequest } from './message.js';
import type { RateLimiter } from './rate-limits.js';
import { type ParsedRequest, parseRequest } from './request.js';
import type { RequestLog } from './request-log.js';
import type { Route } from './route.js';
import { checkPathParameters, type Router } from './router.js';

/** A reply whose body was written down at once: what it was made of goes on changing. */
export interface WrittenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface Executed {
  readonly outcome: ResponseOutcome;
  readonly replayed: boolean;
  readonly limitedBy: RateLimitTier | null;
}

export interface KernelDeps {
  readonly router: Router;
  readonly faults: FaultQueue;
  readonly requests: RequestLog;
  readonly limiter: RateLimiter;
  readonly idempotency: IdempotencyCache<WrittenReply>;
  readonly activity: Activity;
  readonly clock: Clock;
  readonly behaviour: BehaviourSwitches;
  /** How the service speaks where the interface document is silent. */
  readonly edge: Edge;
  /** The state of now: a reset replaces it. */
  readonly state: () => ServiceState;
  readonly nextRequestId: () => string;
  /** Real milliseconds that every response takes. */
  readonly latencyMs: number;
}

/** Leads each request through routing, authentication, limits, idempotency and its handler, and writes the response. */
export class Kernel {
  readonly #deps: KernelDeps;

  constructor(deps: KernelDeps) {
    this.#deps = deps;
  }

  begin(raw: RawRequest): Exchange {
    const parsed = parseRequest(raw, this.#deps.router);
    const route = parsed.match && `${parsed.match.route.method} ${parsed.match.route.path}`;
    const fault = this.#deps.faults.take(route, `${parsed.method} ${parsed.path}`);
    return { connects: fault?.fail !== 'connection_refused', run: () => this.#run(parsed, fault) };
  }

  #run(parsed: ParsedRequest, fault: Fault | undefined): Promise<Outcome> {
    const { activity, requests } = this.#deps;
    const entry = requests.add({ ...parsed, path: parsed.pathWithQuery, route: parsed.match?.route.path ?? null });
    return activity.during(async () => {
      if (this.#deps.latencyMs > 0) await sleep(systemClock, this.#deps.latencyMs);
      const brokenBefore = fault && fault.after !== 'commit' ? connectionOutcome(fault) : undefined;
      const {
        outcome: intended,
        replayed,
        limitedBy,
      } = brokenBefore
        ? { outcome: undefined, replayed: false, limitedBy: null }
        : await this.#behindGateway(() => this.#respond(parsed, fault));
      const outcome = brokenBefore ?? (fault && connectionOutcome(fault)) ?? intended!;
      entry.replayed = replayed;
      entry.limitedBy = limitedBy;
      if (outcome.kind === 'response') {
        entry.status = outcome.status;
        entry.requestId = outcome.headers[this.#deps.edge.requestIdHeader] ?? null;
      }
      requests.close(entry);
      return outcome;
    });
  }

  /** A gateway that has waited long enough responds by itself; what is being executed goes on (gap PAY-16). */
  async #behindGateway(respond: () => Promise<Executed>): Promise<Executed> {
    const { activity, behaviour, clock } = this.#deps;
    const limitMs = behaviour.draw('gatewayTimeoutMs');
    if (limitMs === 0) return respond();
    const executed = activity.during(respond);
    const patience = new AbortController();
    const gaveUp = sleep(clock, limitMs, patience.signal).then(() => ({
      outcome: GATEWAY_TIMEOUT,
      replayed: false,
      limitedBy: null,
    }));
    gaveUp.catch(() => {});
    return activity.outside(() => Promise.race([executed, gaveUp])).finally(() => patience.abort());
  }

  async #respond(parsed: ParsedRequest, fault: Fault | undefined): Promise<Executed> {
    const { edge } = this.#deps;
    const requestId = this.#deps.nextRequestId();
    let replayed = false;
    let limitedBy: RateLimitTier | null = null;
    let reply: WrittenReply;
    try {
      if (isStatusFault(fault) && fault.after !== 'commit') {
        await this.#delay(fault);
        throw new Refusal(refusalOf(fault));
      }
      ({ reply, replayed } = await this.#execute(parsed, fault));
      if (fault?.after === 'commit') await this.#delay(fault);
      if (isStatusFault(fault)) throw new Refusal(refusalOf(fault));
    } catch (error) {
      const facts = factsOf(error);
      limitedBy = facts.limitedBy ?? null;
      reply = writeRefusal(facts, edge.envelope(errorEnvelope(facts, requestId)));
    }
    const headers = { ...reply.headers, ...this.#date(), [edge.requestIdHeader]: requestId };
    return { outcome: damage({ ...reply, headers }, fault), replayed, limitedBy };
  }

  /** `Date` on the service's own clock (gap PAY-18). */
  #date(): Readonly<Record<string, string>> {
    const { behaviour, state } = this.#deps;
    return behaviour.current.dateHeader ? { date: new Date(state().clock.now()).toUTCString() } : {};
  }

  /** Everything that the interface document says happens before a handler is asked. */
  async #execute(parsed: ParsedRequest, fault: Fault | undefined): Promise<{ reply: WrittenReply; replayed: boolean }> {
    const { limiter, idempotency, activity, behaviour, edge, router } = this.#deps;
    const state = this.#deps.state();
    const { match } = parsed;
    if (!match) {
      // gap ERR-4
      throw edge.methodNotAllowed && router.has(parsed.path) ? methodNotAllowed() : notFound('Resource');
    }
    const { route, params } = match;

    const partnerId = route.public ? '' : authenticate(state, parsed.headers.authorization);
    checkFeature(state, partnerId, route);
    const locationId = route.scope === 'location' ? params.location_id?.toLowerCase() : undefined;
    limiter.admit({ route, caller: route.public ? parsed.clientId : partnerId, locationId });
    checkPathParameters(params);
    const key = readKey(edge.keyRule(route), parsed.headers['idempotency-key']);
    if (parsed.malformedBody) throw parsed.malformedBody;

    const { method, path, query, headers, body } = parsed;
    const request: MockRequest = { method, path, params, query, headers, body, partnerId };
    const execute = async (): Promise<WrittenReply> => {
      if (fault?.after !== 'commit') await this.#delay(fault);
      return writeReply(await edge.respond(route, request, state, route.handler));
    };
    if (key === undefined) return { reply: await execute(), replayed: false };

    // gap ERR-8
    const ofPath = edge.keyPerPath ? `${key} ${method} ${path}` : key;
    const use = { partnerId, key: ofPath, fingerprint: `${method} ${path} ${parsed.canonicalBody}` };
    // A success that the caller sees as an error was not cached: the same key executes again (rule 3).
    const cacheable = !(isStatusFault(fault) && fault.after === 'commit');
    const first = async () => ({ reply: await execute(), cacheable });
    const result = await idempotency.once(use, first, {
      inFlight: behaviour.current.keysInFlight,
      wait: (running) => activity.outside(() => running),
    });
    if (!result.replayed || !route.replay) return result;
    return { ...result, reply: writeReply(await edge.respond(route, request, state, route.replay)) };
  }

  async #delay(fault: Fault | undefined): Promise<void> {
    const { activity, clock } = this.#deps;
    if (fault?.delayMs) await activity.outside(() => sleep(clock, fault.delayMs!));
  }
}

const isStatusFault = (fault: Fault | undefined): fault is Fault & { status: number } => fault?.status !== undefined;

function connectionOutcome(fault: Fault): Outcome | undefined {
  switch (fault.fail) {
    case 'socket_reset':
      return { kind: 'reset' };
    case 'socket_close':
      return { kind: 'close' };
    case 'stall':
      return { kind: 'stall' };
    default:
      return undefined;
  }
}

/** Idempotency rule 1; gap ERR-6 */
function readKey(rule: Route['idempotency'], key: string | undefined): string | undefined {
  if (rule === 'none') return undefined;
  if (key === undefined || key === '') {
    if (rule === 'required') throw missingField('Idempotency-Key');
    return undefined;
  }
  if (!isUuidV4(key)) throw invalidBody('Idempotency-Key', 'Idempotency-Key must be a UUID v4.');
  return key;
}

function writeReply(reply: MockReply): WrittenReply {
  const body = reply.body === undefined ? undefined : JSON.stringify(reply.body);
  return { status: reply.status, headers: { ...reply.headers, ...(body === undefined ? {} : JSON_TYPE) }, body };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function writeRefusal(facts: RefusalFacts, body: unknown): WrittenReply {
  const headers: Record<string, string> = {};
  if (facts.retryAfterSeconds !== undefined) headers['retry-after'] = String(facts.retryAfterSeconds);
  return writeReply({ status: facts.status, headers, body });
}

function factsOf(error: unknown): RefusalFacts {
  if (error instanceof Refusal) return error.facts;
  const detail = error instanceof Error ? error.message : String(error);
  return { status: 500, code: 'INTERNAL_ERROR', message: 'An unexpected error occurred', detail, field: null };
}

/** A page of a gateway: no envelope, no request id. */
const GATEWAY_TIMEOUT: ResponseOutcome = {
  kind: 'response',
  status: 504,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><html><head><title>Gateway timeout</title></head><body><h1>Gateway timeout</h1></body></html>',
  flow: 'whole',
};

const HTML = '<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>';

/** The body with other values, or without fields: a drift, or what the future brings. */
function drifted(body: string | undefined, fault: Fault | undefined): string | undefined {
  if (body === undefined || !(fault?.set || fault?.remove)) return body;
  const parsed: unknown = JSON.parse(body);
  for (const [path, value] of Object.entries(fault.set ?? {})) setAt(parsed, path, value);
  for (const path of fault.remove ?? []) removeAt(parsed, path);
  return JSON.stringify(parsed);
}

function damage(reply: WrittenReply, fault: Fault | undefined): ResponseOutcome {
  const outcome: ResponseOutcome = { kind: 'response', ...reply, body: drifted(reply.body, fault), flow: 'whole' };
  switch (fault?.body) {
    case 'empty':
      return { ...outcome, body: '' };
    case 'not_json':
      return { ...outcome, body: '{"id": "5f0c' };
    case 'html':
      return { ...outcome, headers: { ...reply.headers, 'content-type': 'text/html' }, body: HTML };
    case 'truncated':
    case 'drip':
    case 'stall':
      return { ...outcome, body: reply.body ?? '{}', flow: fault.body };
    default:
      return outcome;
  }
}
