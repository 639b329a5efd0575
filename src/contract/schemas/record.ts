import { z } from 'zod';

/** The fields of a schema for `Type`: all of them and no other, each of its type, and optional exactly where it is. */
export type Fields<Type> = {
  readonly [Field in keyof Type]-?: undefined extends Type[Field]
    ? z.ZodOptional<z.ZodType<Exclude<Type[Field], undefined>>>
    : z.ZodType<Type[Field]>;
};

/**
 * Schema of an object with the fields of `Type`. Unknown fields are kept.
 *
 * The schema and the hand-written type cannot drift apart: a field that is missing, extra, of another type, or not
 * optional where the other is, does not compile.
 */
export function record<Type extends object>(fields: Fields<Type>, params?: z.core.$ZodObjectParams): z.ZodType<Type> {
  return z.looseObject(fields, params) as unknown as z.ZodType<Type>;
}
