import { issuesOf, loadContract } from '../http/contract/load-contract.js';
import type { Choices } from '../profile/profile.js';
import { isObject, requestIdOf, type Sent, type Wire, type WireResponse } from '../wire/wire.js';
import { type Finding, ok, skipped, warning, wrong } from './finding.js';
import { checkResponder } from './token.js';

/** One place where a record differs from the contract. */
export interface Difference {
  readonly endpoint: string;
  /** `data[*].address.street`. */
  readonly path: string;
  /** As the validator names it: `invalid_type`. */
  readonly kind: string;
  readonly count: number;
}

export interface ReadsReport {
  readonly findings: readonly Finding[];
  readonly differences: readonly Difference[];
}

type Records = readonly Readonly<Record<string, unknown>>[];

/** Reads the first pages of everything that a partner may see, and holds each record against the contract. */
export async function checkReads(wire: Wire, choices: Choices = {}): Promise<ReadsReport> {
  const reader = await Reader.open(wire, choices);
  const page = await reader.read('GET /locations');
  const locations = recordsOf(page);
  const sellers = locations.filter((location) => location.online_ordering_enabled === true);
  reader.findings.push(page ? locationsFinding(locations, sellers) : skipped('locations', 'they could not be read'));
  const first = (sellers[0] ?? locations[0])?.id;
  if (typeof first === 'string') {
    const params = { location_id: first };
    await reader.read('GET /locations/{location_id}', { params });
    await reader.read('GET /locations/{location_id}/menu/metadata', { params });
    const menu = await reader.read('GET /locations/{location_id}/menu', { params });
    if (menu) reader.findings.push(compressionFinding(menu));
    await reader.read('GET /locations/{location_id}/inventory', { params });
  }
  await reader.read('GET /orders');
  await reader.read('GET /webhooks');
  reader.findings.push(reader.contractFinding(), reader.limitsFinding());
  return { findings: reader.findings, differences: reader.differences };
}

class Reader {
  readonly findings: Finding[] = [];
  readonly differences: Difference[] = [];
  #checked = 0;
  #limits: string[] = [];

  private constructor(
    private readonly wire: Wire,
    private readonly contract: Awaited<ReturnType<typeof loadContract>>,
    private readonly translate: (endpoint: string, data: unknown) => unknown,
  ) {}

  static async open(wire: Wire, choices: Choices): Promise<Reader> {
    const { Dialect } = await import('../http/dialect/dialect.js');
    const dialect = new Dialect(choices);
    return new Reader(wire, await loadContract(), (endpoint, data) => dialect.read(endpoint, data));
  }

  /** The response with its data in the names of this package, or `undefined` when it was no success. */
  async read(endpoint: string, sent: Sent = {}): Promise<WireResponse | undefined> {
    const response = await this.wire.send(endpoint, sent);
    const finding = this.#judge(endpoint, response);
    this.findings.push(finding);
    if (finding.verdict !== 'ok') return undefined;
    const data = this.translate(endpoint, response.data);
    this.#hold(endpoint, data);
    this.#limits = Object.keys(response.headers).filter((name) => /rate-?limit/i.test(name));
    return { ...response, data };
  }

  contractFinding(): Finding {
    if (this.#checked === 0) return skipped('contract', 'nothing was read');
    if (this.differences.length === 0) return ok('contract', `${this.#checked} records are as the contract says`);
    const found = `${this.differences.length} places differ from the contract, in ${this.#checked} records`;
    const advice =
      'The table shows them. `online-ordering-sdk certify --sandbox` finds out what the service chose, and writes a profile for it.';
    return warning('contract', 'differs_from_contract', found, advice);
  }

  limitsFinding(): Finding {
    if (this.#limits.length === 0) return ok('rate limits', 'no headers tell them; the client learns from 429 alone');
    return ok('rate limits', `told in ${this.#limits.join(', ')}`);
  }

  #judge(endpoint: string, response: WireResponse): Finding {
    const { status, failure, ms } = response;
    const id = requestIdOf(response);
    const seen = `${endpoint}: ${status || failure}${id && status !== 200 ? `, request ${id}` : ''}`;
    if (status === 200 && response.data !== undefined)
      return ok('read', `${seen}, ${response.text.length} characters`, ms);
    const stranger = checkResponder(response, endpoint);
    if (stranger) return { ...stranger, check: 'read', found: `${endpoint}: ${stranger.found}` };
    if (status === 401) {
      const advice =
        'The token was granted a moment ago: its credentials belong to another environment than this address.';
      return wrong('read', 'other_environment', seen, advice);
    }
    if (status === 403) {
      return warning('read', 'forbidden', seen, 'Ask the support to enable it for your account, if you need it.');
    }
    if (status === 429) {
      const seconds = response.headers['retry-after'];
      const advice = `Wait${seconds ? ` ${seconds} s` : ''}, then try again; see what else uses these credentials.`;
      return wrong('read', 'rate_limited', seen, advice);
    }
    if (status >= 500) {
      return wrong('read', 'service_failing', seen, 'Try again later; if it stays, tell the support the request id.');
    }
    const advice = status === 200 ? 'The body is no JSON: is a proxy in between?' : 'Tell the support the request id.';
    return wrong('read', 'read_failed', seen, advice);
  }

  #hold(endpoint: string, data: unknown): void {
    const schema = this.contract[endpoint]?.response?.();
    this.#checked += isObject(data) && Array.isArray(data.data) ? data.data.length : 1;
    if (!schema) return;
    const counts = new Map<string, Difference>();
    for (const { path, kind } of issuesOf(schema, data)) {
      const general = path.replace(/\[\d+\]/g, '[*]');
      const key = `${general} ${kind}`;
      counts.set(key, { endpoint, path: general, kind, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    this.differences.push(...counts.values());
  }
}

const recordsOf = (response: WireResponse | undefined): Records =>
  isObject(response?.data) && Array.isArray(response.data.data) ? response.data.data.filter(isObject) : [];

function locationsFinding(locations: Records, sellers: Records): Finding {
  if (locations.length === 0) {
    return warning(
      'locations',
      'no_locations',
      'no location is in scope',
      'Ask the support to provision your locations.',
    );
  }
  const found = `${locations.length} on the first page, ${sellers.length} of them take online orders`;
  if (sellers.length > 0) return ok('locations', found);
  return warning('locations', 'no_locations', found, 'Ask the support to enable online ordering for one of them.');
}

function compressionFinding({ headers, text }: WireResponse): Finding {
  const encoding = headers['content-encoding'];
  const size = `${Math.ceil(text.length / 1024)} KB of menu`;
  return ok('compression', encoding ? `${size}, sent as ${encoding}` : `${size}, sent as it is`);
}
