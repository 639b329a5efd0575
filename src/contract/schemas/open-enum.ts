import { z } from 'zod';
import type { Open } from '../records/open-enum.js';
import { annotate } from './annotation.js';

/**
 * A schema that takes any text as a value of an open enumeration: unknown values are never an error.
 *
 * @param known - The values known today.
 */
export function openEnum<const Known extends string>(known: readonly Known[]): z.ZodType<Open<Known>> {
  return annotate(z.string() as unknown as z.ZodType<Open<Known>>, { known });
}
