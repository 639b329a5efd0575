/**
 * A schema that is built at its first use and kept: importing the package builds none.
 *
 * @returns A function that always gives the same schema.
 */
export function once<Schema>(build: () => Schema): () => Schema {
  let built: Schema | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
