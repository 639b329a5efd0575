/** True while schemas are built that only look, and give nothing back. */
let looking = false;

/**
 * A schema that is built at its first use and kept: importing the package builds none.
 *
 * @returns A function that always gives the same schema; within {@link forLooking}, always the same lean one.
 */
export function once<Schema>(build: () => Schema): () => Schema {
  let kept: Schema | undefined;
  let lean: Schema | undefined;
  return () => {
    if (looking) {
      lean ??= build();
      return lean;
    }
    kept ??= build();
    return kept;
  };
}

/**
 * The schema in a form that is only asked whether a value fits. It passes over unknown fields without copying them,
 * which is half of what a check costs; the value itself is what goes on, so that nothing is lost.
 */
export function forLooking<Schema>(schema: () => Schema): Schema {
  const before = looking;
  looking = true;
  try {
    return schema();
  } finally {
    looking = before;
  }
}

/** Whether the schema under construction is a lean one. */
export function isForLooking(): boolean {
  return looking;
}
