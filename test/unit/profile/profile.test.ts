import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { describe, expect, test } from 'vitest';
import { GAP_ROWS, GAPS } from '../../../src/profile/gaps.js';

const CREDENTIALS = {
  baseUrl: 'https://api.example.com/v1/online-ordering',
  clientId: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
  clientSecret: 'secret',
};

const SLIPS: [unknown, RegExp][] = [
  ['money', /it is not an object; write for example \{ format: 1, choices: \{ 'PAY-1': 'money' \} \}/],
  [{ choices: {} }, /its "format" is missing; write 1/],
  [{ format: 2, choices: {} }, /its format is 2, and this version reads 1; update online-ordering-sdk/],
  [{ format: 1 }, /its "choices" is missing/],
  [{ format: 1, choices: { 'pay-1': 'money' } }, /"pay-1"; write "PAY-1"/],
  [{ format: 1, choices: { 'PAY-4': 'x' } }, /"PAY-4", which is no gap that can be decided; known are BODY-1/],
  [{ format: 1, choices: { 'PAY-1': 'dollars' } }, /PAY-1 is "dollars"; write "cents" or "money"/],
  [{ format: 1, choices: { 'PAY-1': 7 } }, /PAY-1 is 7; write "cents" or "money"/],
];

describe('A profile that cannot be used is refused, and the message says what to write', () => {
  test.each(SLIPS)('%j', (profile, message) => {
    expect(() => new OnlineOrdering({ ...CREDENTIALS, profile: profile as never })).toThrow(message);
    expect(() => createMockService({ profile: profile as never })).toThrow(message);
  });

  test('by a webhook receiver, which knows its own rows alone', () => {
    const receiver = (choices: Record<string, string>) =>
      createWebhookReceiver({ secrets: 'whsec_1', profile: { format: 1, choices } });
    expect(() => receiver({ 'SIG-1': 'rot13' })).toThrow('SIG-1 is not ^(hex|base64)(_with_timestamp(_header)?)?$');
    expect(() => receiver({ 'EVT-1': 'body' })).toThrow('EVT-1 is not ^(data|payload)$');
    expect(() => receiver({ 'PAY-1': 'money' })).not.toThrow();
  });
});

test('A profile that leaves everything out changes nothing', () => {
  expect(() => new OnlineOrdering({ ...CREDENTIALS, profile: { format: 1, choices: {} } })).not.toThrow();
});

test('No row has a reading twice', () => {
  for (const row of GAP_ROWS) expect(new Set<string>(GAPS[row]).size, row).toBe(GAPS[row].length);
});
