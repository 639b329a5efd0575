import { createHmac, hkdfSync } from 'node:crypto';
import { OnlineOrdering, type Tender } from 'online-ordering-sdk';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { digestTender } from '../../../../../src/resources/payments/journal/former-digest.js';
import {
  type DigestKeyOptions,
  digestKeys,
  newSalt,
} from '../../../../../src/resources/payments/journal/tender-digest.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const gift = { payment_method: 'GIFT_CARD', gift_card_number: '6006491234567890', amount: 500 } as const;
const never = new AbortController().signal;
const clock = new VirtualClock();

const digestsOf = (secret: string, salt = 'salt', options: Partial<DigestKeyOptions> = {}) =>
  digestKeys({ readSecret: () => secret, clock, ...options }).forRecord(salt, never);
const digest = async (secret: string, tender: Tender = gift, salt = 'salt', options: Partial<DigestKeyOptions> = {}) =>
  (await digestsOf(secret, salt, options)).of(tender);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('rule 14: the digest of a tender', () => {
  test('is the same for the same instrument, whatever the amount and the order of its fields', async () => {
    const reordered = {
      amount: 'remaining',
      gift_card_number: '6006491234567890',
      payment_method: 'GIFT_CARD',
    } as const;

    const [one, two] = [await digest('a secret'), await digest('a secret', reordered)];

    expect(one.digest).toBe(two.digest);
    expect(await two.matches(one.digest)).toBe('same');
  });

  test('differs by instrument, by salt and by secret', async () => {
    const all = await Promise.all([
      digest('a secret'),
      digest('a secret', { ...gift, gift_card_number: '6006491234567891' }),
      digest('a secret', gift, 'other salt'),
      digest('another secret'),
    ]);

    expect(new Set(all.map((one) => one.digest)).size).toBe(4);
    expect(await all[1].matches(all[0].digest)).toBe('other_tender');
  });

  test('is an HMAC under a key that HKDF makes of secret and salt, so that other programs can check it', async () => {
    const key = (purpose: string) =>
      Buffer.from(hkdfSync('sha256', 'a secret', 'salt', `online-ordering-sdk payments ${purpose}`, 32));
    const text = JSON.stringify({ gift_card_number: '6006491234567890', payment_method: 'GIFT_CARD' });
    const mac = createHmac('sha256', key('tender')).update(text).digest().subarray(0, 24).toString('base64url');

    expect((await digest('a secret')).digest).toBe(`2.${key('key id').toString('base64url').slice(0, 6)}.${mac}`);
  });

  test('is the same where only Web Crypto is there', async () => {
    const byNode = await digest('a secret');
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);

    const byWeb = await digest('a secret');

    expect(byWeb.digest).toBe(byNode.digest);
    expect(await byWeb.ofBody(gift)).toBe(await byNode.ofBody(gift));
    expect(newSalt()).toMatch(/^[\w-]{22}$/);
  });

  test('under another key says so, and the former key tells', async () => {
    const before = (await digest('former secret')).digest;

    expect(await (await digest('rotated secret')).matches(before)).toBe('other_key');
    const knowing = { formerDigestKeys: ['a still older secret', 'former secret value!'] };
    expect(await (await digest('rotated secret', gift, 'salt', knowing)).matches(before)).toBe('other_key');
    const older = (await digest('former secret value!')).digest;
    const now = await digest('rotated secret', gift, 'salt', knowing);
    expect(await now.matches(older)).toBe('same');
    const other = await digest('rotated secret', { ...gift, gift_card_number: '1' }, 'salt', knowing);
    expect(await other.matches(older)).toBe('other_tender');
  });

  test('does not change with the secret when the option digestKey is given', async () => {
    const digestKey = new Uint8Array(32).fill(7);
    const before = await digest('former secret', gift, 'salt', { digestKey });
    const after = await digest('rotated secret', gift, 'salt', { digestKey, readSecret: () => Promise.reject() });

    expect(await after.matches(before.digest)).toBe('same');
  });

  test('of a record that release 0.1.0 began is recognised', async () => {
    const former = await digestTender(gift, 'salt');
    const [same, other] = [await digest('a secret'), await digest('a secret', { ...gift, gift_card_number: '1' })];

    expect(await same.matches(former.digest)).toBe('same');
    expect(await other.matches(former.digest)).toBe('other_tender');
    expect(await same.matchesBody(former.ofBody(gift), gift)).toBe('same');
    expect(await same.matchesBody(former.ofBody(gift), { ...gift, amount: 501 })).toBe('other_tender');
  });

  test('of a body tells its bytes apart', async () => {
    const one = await digest('a secret');
    const written = await one.ofBody({ ...gift });

    expect(await one.matchesBody(written, { ...gift })).toBe('same');
    expect(await one.matchesBody(written, { ...gift, amount: 501 })).toBe('other_tender');
    expect(await (await digest('rotated secret')).matchesBody(written, { ...gift })).toBe('other_key');
  });

  test('refuses a tender that JSON cannot write, and names none of its values', async () => {
    const tender = { ...gift, extra: 12_345_678n } as unknown as Tender;

    const failure = digest('a secret', tender);

    await expect(failure).rejects.toMatchObject({ name: 'RequestValidationError', field: 'tenders' });
    await expect(failure).rejects.not.toThrow(/12345678/);
  });

  test('costs less than a tenth of a millisecond', async () => {
    const digests = await digestsOf('a secret');
    for (let n = 0; n < 200; n += 1) await digests.of({ ...gift, gift_card_number: String(n) });
    const before = process.cpuUsage();
    for (let n = 0; n < 500; n += 1) await digests.of({ ...gift, gift_card_number: String(n) });
    const { user, system } = process.cpuUsage(before);

    // Measured: 0.02 ms. The limit leaves room for machines that do other things.
    expect((user + system) / 500).toBeLessThan(100 * 5);
  });
});

describe('rule 14: the key of digests', () => {
  test('is asked of the secret function within five seconds, or until the signal ends', async () => {
    const waiting = digestKeys({ readSecret: () => new Promise(() => {}), clock }).forRecord('salt', never);
    const says = expect(waiting).rejects.toThrow(
      /"clientSecret" did not end within 5000 ms.*payments: \{ digestKey \}/,
    );
    await clock.advance(5000);
    await says;

    const controller = new AbortController();
    const aborted = digestKeys({ readSecret: () => new Promise(() => {}), clock }).forRecord('salt', controller.signal);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
  });

  test('is refused when it is too short to be one', () => {
    const options = { baseUrl: 'https://api.example.com', clientId: 'id', clientSecret: 'secret' };
    for (const payments of [
      { digestKey: 'short' },
      { formerDigestKeys: [new Uint8Array(8)] },
      { digestKey: 5 as never },
    ]) {
      expect(() => new OnlineOrdering({ ...options, payments })).toThrow(/"payments\.\w+" needs .* at least 16 bytes/);
    }
  });
});
