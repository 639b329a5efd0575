import type { EndpointName } from '../../endpoints/endpoints.js';
import type { GapRow } from '../../profile/gaps.js';
import type { Choices } from '../../profile/profile.js';
import { type Change, type Fields, inTurn } from './json.js';
import { menuReader } from './menus.js';
import { TRANSLATIONS, type Translation } from './translations.js';

/**
 * Translates between the bodies of this package and those of a service that chose otherwise where the interface document
 * is silent, so that types, checks and workflows hold as they are.
 */
export class Dialect {
  readonly #bodies = new Map<string, Change>();
  readonly #queries = new Map<string, (query: Fields) => Fields>();
  readonly #responses = new Map<string, Change>();

  constructor(choices: Choices) {
    for (const translation of translationsOf(choices)) {
      for (const [name, change] of entriesOf(translation.body)) add(this.#bodies, name, change);
      for (const [name, change] of entriesOf(translation.response)) add(this.#responses, name, change);
      for (const [name, change] of entriesOf(translation.query)) this.#queries.set(name, change);
    }
  }

  /** The body as the service wants it. */
  writeBody(operation: string, body: unknown): unknown {
    return this.#bodies.get(operation)?.(body) ?? body;
  }

  /** The query as the service wants it. */
  writeQuery<Query extends Fields | undefined>(operation: string, query: Query): Query {
    const change = this.#queries.get(operation);
    return change && query ? (change(query) as Query) : query;
  }

  /** The body of a success as this package's types have it. */
  read(operation: string, data: unknown): unknown {
    return data === undefined ? data : (this.#responses.get(operation)?.(data) ?? data);
  }
}

/** In the order of the table: what stands around comes before what stands inside. */
function* translationsOf(choices: Choices): Generator<Translation> {
  for (const [row, readings] of Object.entries(TRANSLATIONS)) {
    const reading = choices[row as GapRow];
    const translation = reading && (readings as Readonly<Record<string, Translation>>)[reading];
    if (translation) yield translation;
  }
  const menu = menuReader(choices);
  if (!menu) return;
  yield {
    response: { 'GET /locations/{location_id}/menu': menu, 'GET /locations/{location_id}/menu/metadata': menu },
  };
}

function entriesOf<T>(changes: { readonly [Name in EndpointName]?: T } | undefined): [string, T][] {
  return Object.entries(changes ?? {}) as [string, T][];
}

function add(changes: Map<string, Change>, name: string, change: Change): void {
  const before = changes.get(name);
  changes.set(name, before ? inTurn(before, change) : change);
}
