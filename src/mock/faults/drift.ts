/** One step of a path: a field, an index, or every entry of a list. */
type Step = string | number | '*';

/** `payments[0].status` and `data[*].status` as steps. */
export function stepsOf(path: string): Step[] {
  const parts = path.match(/[^.[\]]+|\[(?:\d+|\*)\]/g) ?? [];
  return parts.map((part) => {
    if (part === '[*]') return '*';
    return part.startsWith('[') ? Number(part.slice(1, -1)) : part;
  });
}

export const isPath = (path: string): boolean => /^[^.[\]]+(\[(\d+|\*)\])*(\.[^.[\]]+(\[(\d+|\*)\])*)*$/.test(path);

/** Changes what stands at a path of a parsed body; what has no such place stays as it is. */
export function setAt(body: unknown, path: string, value: unknown): void {
  for (const [parent, key] of placesOf(body, stepsOf(path))) {
    // Beyond its end a list would be filled up.
    if (Array.isArray(parent) && Number(key) > parent.length) continue;
    // As a field of its own: `__proto__` is a name like any other in JSON.
    Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
  }
}

export function removeAt(body: unknown, path: string): void {
  for (const [parent, key] of placesOf(body, stepsOf(path))) delete parent[key];
}

type Parent = Record<string | number, unknown>;

function placesOf(body: unknown, steps: readonly Step[]): [Parent, string | number][] {
  const [step, ...rest] = steps;
  if (step === undefined || typeof body !== 'object' || body === null) return [];
  const parent = body as Parent;
  const keys = step === '*' ? (Array.isArray(body) ? body.map((_, index) => index) : []) : [step];
  return keys.flatMap((key): [Parent, string | number][] =>
    rest.length === 0 ? [[parent, key]] : placesOf(Object.hasOwn(parent, key) ? parent[key] : undefined, rest),
  );
}
