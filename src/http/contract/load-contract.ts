import type { ResponseIssue } from '../../errors/response.js';

/** The part of a schema library that the checks use. */
export interface Schema {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly SchemaIssue[] };
  };
}

export interface SchemaIssue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface OperationContract {
  readonly request?: (() => Schema) | undefined;
  readonly response?: (() => Schema) | undefined;
}

export type Contract = Readonly<Record<string, OperationContract | undefined>>;

let loaded: Contract | undefined;
let loading: Promise<Contract> | undefined;

/**
 * The contract's schemas. They need zod, and are loaded when a body does not fit: the compiled checks tell that, the schemas
 * tell where.
 */
export function loadContract(): Contract | Promise<Contract> {
  if (loaded) return loaded;
  loading ??= import('../../contract/schemas/operations.js').then(({ operations }) => {
    loaded = operations;
    return loaded;
  });
  return loading;
}

/** Path of an issue as the service writes its own: `modifier_selections[0].quantity`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}

/** Where and how a body differs from the schema; no values. */
export function issuesOf(schema: Schema, body: unknown): ResponseIssue[] {
  const { success, error } = schema.safeParse(body);
  if (success || !error) return [];
  return error.issues.map(({ path, code }) => ({ path: fieldPath(path), kind: code }));
}
