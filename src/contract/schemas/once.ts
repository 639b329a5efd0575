/** A schema that is built at its first use and kept: importing the package builds none. */
export function once<Schema>(build: () => Schema): () => Schema {
  let kept: Schema | undefined;
  return () => {
    kept ??= build();
    return kept;
  };
}
