import { expect, test, vi } from 'vitest';

const built = vi.hoisted(() => ({ schemas: 0 }));

vi.mock('zod', async (importOriginal) => {
  const original = await importOriginal<typeof import('zod')>();
  const counted = new Proxy(original.z, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        built.schemas += 1;
        return member(...parameters);
      };
    },
  });
  return { ...original, z: counted };
});

test('importing the contract builds no schema; the first use of one does', async () => {
  const { moneySchema } = await import('online-ordering-sdk/contract');
  const atImport = built.schemas;

  moneySchema();
  const atFirstUse = built.schemas;
  moneySchema();

  expect(atImport).toBe(0);
  expect(atFirstUse).toBe(3);
  expect(built.schemas).toBe(3);
});
