import type { z } from 'zod';

/** What a schema that takes more than the interface document names knows of the document all the same. */
export interface Annotation {
  /** The known values of an open enumeration. */
  readonly known?: readonly string[];
  /** What the text is by rule, where the schema takes any text: a format of OpenAPI's registry. */
  readonly format?: 'uuid' | 'date-time' | 'date' | 'decimal' | 'uri';
  /** Most characters of a text, where they are not counted in UTF-16 units. */
  readonly maxLength?: number;
}

const annotations = new WeakMap<object, Annotation>();

/** Keeps an annotation beside a schema: checking a value costs nothing more. */
export function annotate<Schema extends z.ZodType>(schema: Schema, annotation: Annotation): Schema {
  annotations.set(schema, annotation);
  return schema;
}

/** The annotation of a schema, or `undefined`. */
export function annotationOf(schema: object): Annotation | undefined {
  return annotations.get(schema);
}
