import { z } from 'zod';
import type { PageEnvelope, PageInfo } from '../records/pagination.js';
import { record } from './record.js';

/**
 * Schema of a {@link PageEnvelope} whose items follow `item`. Keep what it returns (`once`): each call builds a schema.
 */
export function pageEnvelopeSchema<Item>(item: z.ZodType<Item>): z.ZodType<PageEnvelope<Item>> {
  return record<PageEnvelope<Item>>({
    data: z.array(item),
    pagination: record<PageInfo>({ has_more: z.boolean(), next_cursor: z.string().nullish() }),
  });
}
