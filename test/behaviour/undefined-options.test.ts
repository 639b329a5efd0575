import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OnlineOrdering, RateLimitError } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';
import { typeErrors } from '../examples/type-check.js';
import { ofTheClient } from '../types/undefined-options.js';

const CONFIG = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));
const FILE = fileURLToPath(new URL('../types/undefined-options.ts', import.meta.url));

test('an option may be undefined under exactOptionalPropertyTypes', () => {
  expect(typeErrors(CONFIG, [FILE], basename, { exactOptionalPropertyTypes: true })).toEqual([]);
});

test('an option that is undefined is one that was left out', async () => {
  const client = ofTheClient({});
  const options = { signal: undefined, timeout: undefined, deadline: undefined, maxRetries: undefined };
  const query = { location_id: undefined, status: undefined, limit: undefined, cursor: undefined };

  expect(await client.orders.list(query, { ...options, prefetch: undefined }).toArray({ limit: 1 })).toEqual([]);
  const [location] = await client.locations.list().toArray({ limit: 1 });
  const cart = await client.carts.create({ location_id: location!.id, customer_id: undefined }, options);
  expect(cart.customer_id).toBeNull();
  await client.close();
});

test('a rate limit of the mock that is undefined is the default', async () => {
  const service = createMockService({ rateLimits: { reads: undefined } });
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });

  for (let n = 0; n < 240; n += 1) await client.locations.list();

  await expect(client.locations.list({}, { maxRetries: 0 })).rejects.toThrow(RateLimitError);
});
