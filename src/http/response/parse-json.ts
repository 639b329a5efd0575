/** `__proto__`, also with escaped letters, as a key that would change the prototype of a copy made of the data. */
const PROTOTYPE_KEY =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/;

/** The value of a JSON text, without keys `__proto__`. The engine's message quotes the text: it goes no further. */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const data: unknown = JSON.parse(json);
  // Not the whole name: the engine stops at each of a text's first characters, and `_` stands in the name of every field.
  const mayHoldIt = json.includes('proto') || json.includes('\\u00');
  if (mayHoldIt && PROTOTYPE_KEY.test(json)) dropPrototypeKeys(data);
  return data;
}

/** In a loop: a reviver would recurse, and a body may be nested a hundred thousand levels deep. */
function dropPrototypeKeys(data: unknown): void {
  const open: unknown[] = [data];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
}
