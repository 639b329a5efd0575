import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  constructEvent,
  constructEventAsync,
  signPayload,
  signPayloadAsync,
  timestampedSignature,
  WebhookVerificationError,
} from '../../../../src/webhooks/index.js';

// Signatures below were made with OpenSSL 3.0: openssl dgst -sha256 -hmac whsec_test_4f1c2a7b8d11 [-hex | -binary | base64]
const SECRET = 'whsec_test_4f1c2a7b8d11';
const OTHER = 'whsec_other_secret';
const ORDER_CREATED =
  '{"event_id":"evt_1","event_type":"order.created","created_at":"2026-01-15T14:30:00Z","data":{"order_id":"0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11","location_id":"5f0c0a52-6f6e-4c1e-9d0f-3f1c2a7b8d11","status":"PENDING","handoff_mode":"PICKUP","total":{"amount":1250,"currency":"USD"},"created_at":"2026-01-15T14:30:00Z"}}';
const ORDER_CREATED_HEX = 'f9d898a3d058e4de9a382fb48a8a307ac27534d3a625919a9ff73fc27a50fe46';
const STOCK_UPDATED =
  '{"event_id":"evt_2","event_type":"stock.updated","created_at":"2026-01-15T14:30:00Z","data":{"location_id":"5f0c0a52-6f6e-4c1e-9d0f-3f1c2a7b8d11","items":[{"item_id":"i1","name":"Jalapeño Taquito 🌮","previous_status":"IN_STOCK","current_status":"OUT_OF_STOCK","updated_at":"2026-01-15T14:30:00Z"}]}}';
const STOCK_UPDATED_HEX = '7a06db916b41ec3ab1ce1d856816d35f09c4d68d5b7e9aa344badd0f74ec5ffa';
const SIGNED_AT_SECONDS = 1768487400;
/** Over `1768487400.` and the body of order.created. */
const TIMESTAMPED_HEX = '92a851ddfa771062d6e7189de081af36a0fe50b7e8a1aaff7d1cd13856165410';

const clockAt = (seconds: number) => ({ now: () => seconds * 1000, setTimer: () => () => {} });
const bytes = (text: string) => new TextEncoder().encode(text);

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  return 'accepted';
}

describe.each([
  ['constructEvent', async (...args: Parameters<typeof constructEvent>) => constructEvent(...args)],
  ['constructEventAsync', constructEventAsync],
])('%s', (_name, construct) => {
  test.each([
    ['hex', ORDER_CREATED_HEX],
    ['upper-case hex', 'F9D898A3D058E4DE9A382FB48A8A307AC27534D3A625919A9FF73FC27A50FE46'],
    ['hex behind sha256=', `sha256=${ORDER_CREATED_HEX}`],
    ['hex behind SHA256=', `SHA256=${ORDER_CREATED_HEX}`],
    ['base64', '+diYo9BY5N6aOC+0ioowesJ1NNOmJZGan/c/wnpQ/kY='],
    ['base64 without padding', '+diYo9BY5N6aOC+0ioowesJ1NNOmJZGan/c/wnpQ/kY'],
    ['base64url', '-diYo9BY5N6aOC-0ioowesJ1NNOmJZGan_c_wnpQ_kY'],
    ['base64 behind sha256=', 'sha256=+diYo9BY5N6aOC+0ioowesJ1NNOmJZGan/c/wnpQ/kY='],
    ['hex with white space around', ` ${ORDER_CREATED_HEX} `],
    ['one of two signatures', `${STOCK_UPDATED_HEX}, ${ORDER_CREATED_HEX}`],
  ])('a signature by openssl is accepted as %s', async (_encoding, signature) => {
    const event = await construct(ORDER_CREATED, signature, SECRET);

    expect(event).toMatchObject({ known: true, event_id: 'evt_1', data: { total: { amount: 1250, currency: 'USD' } } });
  });

  test.each([[undefined], [null], [''], [' '], [{}]])(
    'a delivery without a signature (%j) is refused',
    async (given) => {
      const failure = construct(ORDER_CREATED, given as never, SECRET);

      await expect(failure).rejects.toThrow(WebhookVerificationError);
      await expect(failure).rejects.toMatchObject({ reason: 'no_signature' });
    },
  );

  test.each([
    ['text', STOCK_UPDATED],
    ['a Buffer', Buffer.from(STOCK_UPDATED)],
    ['a slice of a larger Buffer', Buffer.from(`xx${STOCK_UPDATED}yy`).subarray(2, -2)],
    ['a Uint8Array', bytes(STOCK_UPDATED)],
    ['an ArrayBuffer', bytes(STOCK_UPDATED).buffer],
  ])('a body with letters beyond ASCII is accepted as %s', async (_form, body) => {
    const event = await construct(body, STOCK_UPDATED_HEX, SECRET);

    expect(event.data).toMatchObject({ items: [{ name: 'Jalapeño Taquito 🌮' }] });
  });

  test.each([
    ['a record in lower case', { 'x-service-signature': ORDER_CREATED_HEX }],
    ['a record as documented', { 'X-Service-Signature': ORDER_CREATED_HEX }],
    ['a record in odd case', { accept: '*/*', 'X-SERVICE-signature': ORDER_CREATED_HEX }],
    ['a record with lists', { 'x-service-signature': [ORDER_CREATED_HEX] }],
    ['a Headers object', new Headers({ 'X-Service-Signature': ORDER_CREATED_HEX })],
  ])('the signature is found in %s', async (_form, headers) => {
    expect((await construct(ORDER_CREATED, headers, SECRET)).known).toBe(true);
  });

  test('during a rotation any of several secrets will do', async () => {
    expect((await construct(ORDER_CREATED, ORDER_CREATED_HEX, [OTHER, SECRET])).event_id).toBe('evt_1');
  });

  test.each([
    ['no header at all', {}],
    ['an empty header', { 'x-service-signature': ' ' }],
    ['an empty value', ''],
    ['only headers that every object has', Object.create({ 'x-service-signature': ORDER_CREATED_HEX })],
  ])('%s is refused as no signature', async (_case, headers) => {
    await expect(construct(ORDER_CREATED, headers, SECRET)).rejects.toMatchObject({ reason: 'no_signature' });
  });

  test.each([
    ['another body', `${ORDER_CREATED} `, ORDER_CREATED_HEX, SECRET],
    ['another secret', ORDER_CREATED, ORDER_CREATED_HEX, OTHER],
    ['one digit changed', ORDER_CREATED, `0${ORDER_CREATED_HEX.slice(1)}`, SECRET],
    ['a signature cut short', ORDER_CREATED, ORDER_CREATED_HEX.slice(0, 63), SECRET],
    ['a signature too long', ORDER_CREATED, `${ORDER_CREATED_HEX}0`, SECRET],
    ['letters that are no hex', ORDER_CREATED, 'z'.repeat(64), SECRET],
    ['letters beyond ASCII', ORDER_CREATED, 'é'.repeat(64), SECRET],
    ['one character', ORDER_CREATED, 'f', SECRET],
    ['a very long value', ORDER_CREATED, `${'0'.repeat(100_000)},`.repeat(5), SECRET],
  ])('%s is refused as no match', async (_case, body, signature, secret) => {
    await expect(construct(body, signature, secret)).rejects.toMatchObject({ reason: 'no_match' });
  });

  test('a signature after eight wrong ones is not looked at', async () => {
    const wrong = Array.from({ length: 8 }, () => '0'.repeat(64));

    await expect(construct(ORDER_CREATED, [...wrong, ORDER_CREATED_HEX].join(), SECRET)).rejects.toMatchObject({
      reason: 'no_match',
    });
  });

  test.each([
    ['an object', { event_id: 'evt_1' }],
    ['an object turned into text', '[object Object]'],
    ['nothing', undefined],
    ['null', null],
  ])('%s in place of the raw body is refused, and the message says what to change', async (_case, body) => {
    const refusal = construct(body as never, ORDER_CREATED_HEX, SECRET);

    await expect(refusal).rejects.toMatchObject({ reason: 'body_parsed' });
    await expect(refusal).rejects.toThrow(/express\.raw.*receiver\.fastify.*request\.text\(\)/);
  });

  test.each([
    ['an empty text', ''],
    ['an empty list', []],
    ['an empty text in a list', [SECRET, '']],
    ['undefined', undefined],
    ['empty bytes', new Uint8Array()],
    ['a text with the line break of its file', `${SECRET}\n`],
  ])('%s as secret is refused before anything is compared', async (_case, secret) => {
    await expect(construct(ORDER_CREATED, ORDER_CREATED_HEX, secret as never)).rejects.toBeInstanceOf(
      ConfigurationError,
    );
  });

  test.each([
    ['not_utf8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['not_utf8', Buffer.concat([Buffer.from('{"event_id":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])],
    ['not_json', 'event_id=1'],
    ['not_json', ''],
    ['not_json', '{"event_id":"evt_1"'],
    ['not_an_event', 'null'],
    ['not_an_event', '[]'],
    ['not_an_event', '"text"'],
    ['not_an_event', '{"event_type":"order.created","data":{}}'],
    ['not_an_event', '{"event_id":"evt_1","data":{}}'],
    ['not_an_event', `{"event_id":"${'x'.repeat(256)}","event_type":"order.created","data":{}}`],
    ['not_an_event', '{"event_id":"evt_1","event_type":"order.created"}'],
    ['not_an_event', '{"event_id":"evt_1","event_type":"order.created","data":{"order_id":7,"location_id":"l"}}'],
    ['not_an_event', '{"event_id":"e","event_type":"order.status_changed","data":{"order_id":"o","current_status":1}}'],
    ['not_an_event', '{"event_id":"evt_1","event_type":"stock.updated","data":{"location_id":"l","items":{}}}'],
    ['not_an_event', '{"event_id":"evt_1","event_type":"stock.updated","data":{"location_id":"l","items":[null]}}'],
    ['not_an_event', '{"event_id":"evt_1","event_type":"menu.changed","data":[]}'],
    ['not_an_event', '{"__proto__":{"event_id":"evt_1","event_type":"order.created"}}'],
  ])('a signed body is refused as %s: %s', async (reason, body) => {
    await expect(construct(body, await signPayloadAsync(body, SECRET), SECRET)).rejects.toMatchObject({ reason });
  });

  test('an event type of tomorrow is an event with known: false, not a failure', async () => {
    const body = '{"event_id":"evt_9","event_type":"order.delayed","created_at":"2027-01-01T00:00:00Z","data":[1]}';

    const event = await construct(body, signPayload(body, SECRET), SECRET);

    expect(event).toEqual({
      known: false,
      event_id: 'evt_9',
      event_type: 'order.delayed',
      created_at: '2027-01-01T00:00:00Z',
      data: [1],
    });
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'an event type called %s is unknown like any other',
    async (type) => {
      const body = JSON.stringify({ event_id: 'evt_9', event_type: type, data: {} });

      expect((await construct(body, signPayload(body, SECRET), SECRET)).known).toBe(false);
    },
  );

  test('an event of which the service left out all but the ids is accepted, and fields to come are kept', async () => {
    const body =
      '{"event_id":"evt_3","event_type":"order.status_changed","data":{"order_id":"o1","promised_at":"2026-01-15T15:00:00Z"}}';

    const event = await construct(body, signPayload(body, SECRET), SECRET);

    expect(event).toMatchObject({ known: true, data: { order_id: 'o1', promised_at: '2026-01-15T15:00:00Z' } });
  });

  test('a member called __proto__ stays a member, and changes no object', async () => {
    const body =
      '{"event_id":"evt_4","event_type":"order.cancelled","data":{"order_id":"o1","__proto__":{"polluted":true}},"known":false}';

    const event = await construct(body, signPayload(body, SECRET), SECRET);

    expect(event.known).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((event.data as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('an order.created that names the order only is an event: the document shows no other field', async () => {
    const body = '{"event_id":"evt_6","event_type":"order.created","data":{"order_id":"o"}}';

    const event = await construct(body, signPayload(body, SECRET), SECRET);

    expect(event).toMatchObject({ known: true, event_type: 'order.created', data: { order_id: 'o' } });
  });

  test('a body nested half a million levels deep ends in a response, not in a full stack', async () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    const body = `{"event_id":"evt_5","event_type":"deep","data":${deep}}`;

    expect((await construct(body, signPayload(body, SECRET), SECRET)).known).toBe(false);
    await expect(construct(deep, signPayload(deep, SECRET), SECRET)).rejects.toMatchObject({ reason: 'not_an_event' });
    await expect(construct(deep, ORDER_CREATED_HEX, SECRET)).rejects.toMatchObject({ reason: 'no_match' });
  });

  test('a stranger’s body of 10 MB is refused without being parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse');

    await expect(construct(`"${'x'.repeat(10_000_000)}"`, ORDER_CREATED_HEX, SECRET)).rejects.toMatchObject({
      reason: 'no_match',
    });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

describe('a time-stamped scheme', () => {
  const inHeader = timestampedSignature({ timestampHeader: 'X-Service-Timestamp' });
  const inSignature = timestampedSignature();
  const separate = { 'x-service-timestamp': '1768487400', 'x-service-signature': TIMESTAMPED_HEX };
  const combined = `t=1768487400,v1=${TIMESTAMPED_HEX}`;

  test.each([
    ['at once', 0],
    ['300 seconds later', 300],
    ['300 seconds earlier', -300],
  ])('a delivery signed by openssl is accepted %s', (_case, seconds) => {
    const clock = clockAt(SIGNED_AT_SECONDS + seconds);

    expect(constructEvent(ORDER_CREATED, separate, SECRET, { scheme: inHeader, clock }).event_id).toBe('evt_1');
    expect(constructEvent(ORDER_CREATED, combined, SECRET, { scheme: inSignature, clock }).event_id).toBe('evt_1');
  });

  test.each([
    ['too_old', 301],
    ['too_new', -301],
  ])('beyond the tolerance it is refused as %s', (reason, seconds) => {
    const clock = clockAt(SIGNED_AT_SECONDS + seconds);

    expect(reasonOf(() => constructEvent(ORDER_CREATED, separate, SECRET, { scheme: inHeader, clock }))).toBe(reason);
    expect(reasonOf(() => constructEvent(ORDER_CREATED, combined, SECRET, { scheme: inSignature, clock }))).toBe(
      reason,
    );
  });

  test('a time stamp that was moved on does not match the signature', () => {
    const clock = clockAt(SIGNED_AT_SECONDS + 1000);
    const moved = { ...separate, 'x-service-timestamp': String(SIGNED_AT_SECONDS + 1000) };

    expect(reasonOf(() => constructEvent(ORDER_CREATED, moved, SECRET, { scheme: inHeader, clock }))).toBe('no_match');
  });

  test.each([
    ['missing', { 'x-service-signature': TIMESTAMPED_HEX }],
    ['no number', { 'x-service-signature': TIMESTAMPED_HEX, 'x-service-timestamp': 'now' }],
    ['endless', { 'x-service-signature': TIMESTAMPED_HEX, 'x-service-timestamp': '9'.repeat(400) }],
  ])('a time stamp that is %s is refused', (_case, headers) => {
    expect(reasonOf(() => constructEvent(ORDER_CREATED, headers, SECRET, { scheme: inHeader }))).toBe('no_timestamp');
  });

  test('what signPayload signs is accepted, in every scheme and with both kinds of crypto', async () => {
    const clock = clockAt(SIGNED_AT_SECONDS);
    for (const scheme of [inHeader, inSignature, timestampedSignature({ unit: 'milliseconds' })]) {
      const headers = signPayload(ORDER_CREATED, SECRET, { scheme, clock });

      expect(await signPayloadAsync(ORDER_CREATED, SECRET, { scheme, clock })).toEqual(headers);
      expect(constructEvent(ORDER_CREATED, headers, SECRET, { scheme, clock }).event_id).toBe('evt_1');
      expect((await constructEventAsync(ORDER_CREATED, headers, SECRET, { scheme, clock })).event_id).toBe('evt_1');
    }
  });

  test('a scheme of one’s own may sign other headers too', () => {
    const scheme = {
      header: 'Signature',
      encoding: 'base64',
      signedContent: ({ header, body }: { header(name: string): string | undefined; body: string | Uint8Array }) => [
        header('Delivery-Id') ?? '',
        '\n',
        body,
      ],
    } as const;
    // printf 'd-1\n' | cat - body | openssl dgst -sha256 -hmac … -binary | base64
    const headers = { 'delivery-id': 'd-1', signature: '77MihZr18VhOWa3b8xj2uuuzlo4UaQ9n4xfC15C19bM=' };

    expect(constructEvent(ORDER_CREATED, headers, SECRET, { scheme }).event_id).toBe('evt_1');
    expect(
      reasonOf(() => constructEvent(ORDER_CREATED, { ...headers, 'delivery-id': 'd-2' }, SECRET, { scheme })),
    ).toBe('no_match');
  });
});

describe('signPayload', () => {
  test('signs as openssl does', async () => {
    expect(signPayload(ORDER_CREATED, SECRET)).toEqual({ 'X-Service-Signature': ORDER_CREATED_HEX });
    expect(await signPayloadAsync(bytes(STOCK_UPDATED), SECRET)).toEqual({ 'X-Service-Signature': STOCK_UPDATED_HEX });
  });
});

describe('a runtime without node:crypto', () => {
  test('constructEvent says which function to call instead, and constructEventAsync works', async () => {
    vi.resetModules();
    const load = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    const fresh = await import('../../../../src/webhooks/index.js');

    expect(() => fresh.constructEvent(ORDER_CREATED, ORDER_CREATED_HEX, SECRET)).toThrow(/constructEventAsync/);
    expect((await fresh.constructEventAsync(bytes(ORDER_CREATED), ORDER_CREATED_HEX, SECRET)).event_id).toBe('evt_1');
    await expect(
      fresh.constructEventAsync(Buffer.from([0xff]), await fresh.signPayloadAsync(Buffer.from([0xff]), SECRET), SECRET),
    ).rejects.toMatchObject({ reason: 'not_utf8' });
    load.mockRestore();
  });
});

test('no error of verification holds the secret, the signature or the body', () => {
  for (const body of [ORDER_CREATED, 'no json 0b9f6a52']) {
    for (const signature of ['0'.repeat(64), signPayload(body, SECRET)['X-Service-Signature']!]) {
      try {
        constructEvent(body, signature, SECRET);
      } catch (error) {
        const text = `${(error as Error).stack} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
        expect(text).not.toMatch(/whsec_|0b9f6a52|0{64}/);
      }
    }
  }
});

test.each([
  ['an object', { 'x-service-signature': {} }],
  ['a number', { 'x-service-signature': 7 }],
  ['a symbol in a list', { 'X-Service-Signature': [Symbol.iterator.description] }],
  ['an object that get() gives', { get: () => ({}) }],
])('a signature header that is %s is no signature', (_what, headers) => {
  const refusal = () => constructEvent('{}', headers as never, 'whsec_1');

  expect(refusal).toThrow(WebhookVerificationError);
});
