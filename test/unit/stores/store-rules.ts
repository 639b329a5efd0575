import { randomUUID } from 'node:crypto';
import type { Store } from 'online-ordering-sdk';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { realPass, STORE_RULES } from '../../../src/stores/store-rules.js';

export interface StoreUnderTest {
  readonly store: Store;
  /** The same state over a connection of its own, as another process has it. */
  readonly other?: Store;
  readonly pass?: (ms: number) => Promise<void>;
  readonly stop?: () => Promise<void>;
}

/** One test per rule of `checkStore`; `rounds` is how often each race is run. */
export function testStore(name: string, start: () => Promise<StoreUnderTest>, rounds = 30): void {
  describe(name, () => {
    let under: StoreUnderTest;
    beforeAll(async () => {
      under = await start();
    });
    afterAll(async () => under.stop?.());

    test.each(STORE_RULES)(
      '$title',
      async ({ check }) => {
        const prefix = `online-ordering:test:${randomUUID()}:`;
        const { store, other = store, pass = realPass } = under;
        await check({ store, other, key: (text) => prefix + text, pass, rounds });
      },
      60_000,
    );
  });
}
