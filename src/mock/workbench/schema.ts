/** The part of JSON Schema in which the control API describes its bodies, and by which it checks them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

/** The first thing that is wrong with a value that stands at the path `at` (empty: it is the whole), and what to write. */
export function problemOf(schema: Schema, value: unknown, at = ''): string | undefined {
  const wrong = (write: string) =>
    value === undefined
      ? `${called(at)} is missing; write ${write}.`
      : `${called(at)} is ${shown(value)}; write ${write}.`;
  if (schema.anyOf) {
    const fits = schema.anyOf.some((one) => problemOf(one, value, at) === undefined);
    return fits ? undefined : wrong(schema.anyOf.map(wordsFor).join(', or '));
  }
  if (schema.enum) return schema.enum.some((one) => one === value) ? undefined : wrong(wordsFor(schema));
  switch (schema.type) {
    case 'object':
      return isRecord(value) ? objectProblem(schema, value, at) : wrong(wordsFor(schema));
    case 'array': {
      if (!Array.isArray(value)) return wrong(wordsFor(schema));
      const problems = value.map((entry, index) => problemOf(schema.items ?? {}, entry, `${at}[${index}]`));
      return problems.find((problem) => problem !== undefined);
    }
    case 'string':
      return typeof value === 'string' && value.length >= (schema.minLength ?? 0) ? undefined : wrong(wordsFor(schema));
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrong(wordsFor(schema));
    case 'null':
      return value === null ? undefined : wrong(wordsFor(schema));
    case 'number':
    case 'integer':
      return isNumber(schema, value) ? undefined : wrong(wordsFor(schema));
    default:
      return undefined;
  }
}

function objectProblem(schema: Schema, value: Readonly<Record<string, unknown>>, at: string): string | undefined {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const below = (name: string) => (at === '' ? name : `${at}.${name}`);
  for (const [name, entry] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined && additionalProperties === false) {
      const names = Object.keys(properties);
      const write = names.length === 0 ? 'an object without fields' : `one of ${names.join(', ')}`;
      return `${called(at)} has no field "${name}"; write ${write}.`;
    }
    const rule = known ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
    const problem = problemOf(rule, entry, below(name));
    if (problem !== undefined) return problem;
  }
  const missing = required.find((name) => value[name] === undefined);
  return missing === undefined ? undefined : problemOf(properties[missing] ?? {}, undefined, below(missing));
}

function isNumber({ type, minimum, maximum }: Schema, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (type === 'integer' && !Number.isSafeInteger(value)) return false;
  return value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
}

/** What to write, in words. */
function wordsFor(schema: Schema): string {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' or ');
  const example = schema.examples?.[0];
  const such = example === undefined ? '' : ` such as ${JSON.stringify(example)}`;
  switch (schema.type) {
    case 'object': {
      const names = Object.keys(schema.properties ?? {});
      return such === '' && names.length > 0 ? `an object with ${names.join(', ')}` : `an object${such}`;
    }
    case 'array':
      return `a list${such}`;
    case 'string':
      return schema.minLength ? `a text that is not empty${such && `,${such}`}` : `a text${such}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'integer':
      return `a whole number${range(schema)}${such}`;
    case 'number':
      return `a number${range(schema)}${such}`;
    default:
      return `a value${such}`;
  }
}

function range({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum} on`;
  return maximum === undefined ? '' : ` up to ${maximum}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const called = (at: string): string => (at === '' ? 'The body' : `"${at}"`);

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
