/** An option that does not exist. */
export interface UnknownOption {
  readonly name: string;
  /** Says so, and what to write in its place. */
  readonly message: string;
}

/** The first of the options that does not exist; `undefined` when all do. A misspelt one must not be ignored. */
export function unknownOption(options: object, known: readonly string[]): UnknownOption | undefined {
  const name = Object.keys(options).find((given) => !known.includes(given));
  if (name === undefined) return undefined;
  const meant = known.find((one) => one.toLowerCase() === name.toLowerCase());
  const hint = meant === undefined ? `known are ${known.join(', ')}` : `write "${meant}"`;
  return { name, message: `The option "${name}" does not exist; ${hint}.` };
}
