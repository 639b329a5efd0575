import { createRequire } from 'node:module';
import { join } from 'node:path';

// Prism brings no types that fit without it: the few that are used here.
interface Violation {
  readonly location?: readonly string[];
  readonly message: string;
  readonly code: string | number;
  readonly severity: string;
}
type Either<T> = { readonly _tag: 'Left'; readonly left: Error } | { readonly _tag: 'Right'; readonly right: T };
interface Prism {
  createInstance(
    config: object,
    components: object,
  ): {
    request(
      input: object,
      operations: readonly object[],
      config: object,
    ): () => Promise<Either<{ validations: Validations }>>;
  };
  getHttpOperationsFromSpec(document: string): Promise<readonly object[]>;
}
interface Validations {
  readonly input: readonly Violation[];
  readonly output: readonly Violation[];
}

export interface Asked {
  readonly method: string;
  /** Below the base path of the service, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: object;
  /** Empty when there is none. */
  readonly body: string;
}

export interface Answered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What was held against the document, and what Prism says against it. */
export interface Verdict {
  /** Requests that an operation of the document was found for. */
  readonly checked: number;
  /** Requests to what the document does not have. */
  readonly unknown: number;
  /** Requests that the document does not allow, and that the service refused too. */
  readonly refused: number;
  /** A response that the document does not allow, a wrong request that was taken, or an unknown path that was served. */
  readonly violations: readonly string[];
}

export interface Validator {
  /** Holds one request, and what `respond` gives for it, against the document. */
  hold<T extends Answered>(request: Asked, respond: () => Promise<T>): Promise<T>;
  verdict(): Verdict;
}

const CONFIG = {
  isProxy: true,
  validateRequest: true,
  validateResponse: true,
  checkSecurity: true,
  errors: false,
  mock: false,
  upstreamProxy: undefined,
  // Never asked: what was sent goes to `respond`.
  upstream: new URL('http://127.0.0.1'),
};

/** @param tools - The folder in whose `node_modules` Prism is installed. */
export async function prismOf(document: string, tools: string): Promise<Validator> {
  const prism = createRequire(join(tools, 'package.json'))('@stoplight/prism-http') as Prism;
  const operations = await prism.getHttpOperationsFromSpec(document);
  const violations: string[] = [];
  const count = { checked: 0, unknown: 0, refused: 0 };
  return {
    verdict: () => ({ ...count, violations }),
    async hold(request, respond) {
      let asking: ReturnType<typeof respond> | undefined;
      const once = () => (asking ??= respond());
      const forward = () => () => async () => {
        const right = await once();
        return { _tag: 'Right', right: { ...right, body: parsed(right.text) } };
      };
      const { method, path, query, headers, body } = request;
      const input = {
        method: method.toLowerCase(),
        url: { path: path || '/', query: queryOf(query) },
        headers,
        body: parsed(body),
      };
      const instance = prism.createInstance(CONFIG, { logger: silent(), forward });
      const result = await instance.request(input, operations, CONFIG)();
      // Prism forwards nothing that it has no operation for.
      const answer = await once();
      const name = `${method} ${path} → ${answer.statusCode}`;
      if (result._tag === 'Left') throw result.left;
      const { input: asked, output } = result.right.validations;
      if (asked.some(({ message }) => message === 'Selected route not found')) {
        count.unknown += 1;
        if (answer.statusCode < 400) violations.push(`${name}: the document has no such path`);
        return answer;
      }
      count.checked += 1;
      for (const violation of output) violations.push(`${name}: response ${describe(violation)}`);
      if (asked.length > 0 && answer.statusCode >= 400) count.refused += 1;
      else for (const violation of asked) violations.push(`${name}: request ${describe(violation)}`);
      return answer;
    },
  };
}

const describe = ({ location = [], message, code }: Violation): string => `${location.join('.')} ${message} (${code})`;

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function queryOf(params: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** A logger in the shape of pino. */
function silent(): object {
  const nothing = () => {};
  const logger = {
    info: nothing,
    warn: nothing,
    error: nothing,
    debug: nothing,
    trace: nothing,
    fatal: nothing,
    success: nothing,
  };
  return { ...logger, child: () => silent() };
}
