/** What zod keeps of a schema, and of its checks, as far as programs of this project read it. */
export interface Definition {
  readonly type?: string;
  readonly check?: string;
  readonly format?: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly checks?: readonly Check[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly pattern?: RegExp;
  readonly fn?: unknown;
}

export interface Check {
  readonly _zod: { readonly def: Definition; readonly check?: unknown };
}

export type Schema = Check;
