import { isUuid } from '../refusals/read-fields.js';
import { invalidParameter } from '../refusals/refusal.js';
import type { Route } from './route.js';

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path below the base path. Literal segments win over parameters. */
export class Router {
  readonly #routes: readonly { route: Route; segments: readonly string[] }[];

  constructor(routes: readonly Route[]) {
    const isParameter = (segment: string) => Number(segment.startsWith('{'));
    const parameters = (segments: readonly string[]) =>
      segments.reduce((sum, segment) => sum + isParameter(segment), 0);
    this.#routes = routes
      .map((route) => ({ route, segments: route.path.split('/').slice(1) }))
      .sort((a, b) => parameters(a.segments) - parameters(b.segments));
  }

  get routes(): readonly Route[] {
    return this.#routes.map(({ route }) => route);
  }

  /** Whether some method is known for the path. */
  has(path: string): boolean {
    const sent = path.split('/').slice(1);
    return this.#routes.some(({ segments }) => segments.length === sent.length && matchSegments(segments, sent));
  }

  find(method: string, path: string): Match | undefined {
    const sent = path.split('/').slice(1);
    for (const { route, segments } of this.#routes) {
      if (route.method !== method || segments.length !== sent.length) continue;
      const params = matchSegments(segments, sent);
      if (params) return { route, params };
    }
    return undefined;
  }
}

function matchSegments(segments: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = sent[index]!;
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined;
    } else {
      if (value === '') return undefined;
      params[segment.slice(1, -1)] = decode(value);
    }
  }
  return params;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Identifiers in a path are UUIDs (General conventions). */
export function checkPathParameters(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id') && !isUuid(value)) throw invalidParameter(name, `${name} must be a UUID.`);
  }
}
