import { expect, test } from 'vitest';
import { RequestLog } from '../../../../src/mock/kernel/request-log.js';
import { Recorder } from '../../../../src/mock/workbench/recorder.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const openRecorder = () =>
  new Recorder({
    requests: new RequestLog(new VirtualClock(), 10),
    now: () => '2026-03-10T17:00:00.000Z',
    onRequest: () => {},
  });

const RAW = { method: 'GET', target: '/v1/online-ordering/orders', headers: {}, body: undefined };

test('The workbench keeps the latest two thousand requests, and numbers them on', () => {
  const recorder = openRecorder();
  for (let count = 0; count < 2005; count += 1) recorder.watch(RAW, { connects: false, run: () => Promise.reject() });

  const requests = recorder.list();

  expect([requests.length, requests[0]!.number, requests.at(-1)!.number]).toEqual([2000, 6, 2005]);
  expect(recorder.find(5)).toBeUndefined();
});

test('A refused connection is a request that ended before it was sent', () => {
  const recorder = openRecorder();
  recorder.meets({ endpoint: '*', fault: { fail: 'connection_refused' } });

  recorder.watch(RAW, { connects: false, run: () => Promise.reject() });

  expect(recorder.list()).toMatchObject([
    { path: '/orders', ending: 'refused', status: null, fault: { fail: 'connection_refused' } },
  ]);
});

test('A long body is cut, and a secret in it is not shown', async () => {
  const recorder = openRecorder();
  const body = JSON.stringify({ client_secret: 'sk_1"2', note: 'x'.repeat(100_000) });

  recorder.watch({ ...RAW, method: 'POST', body }, { connects: false, run: () => Promise.reject() });

  const { requestBody } = recorder.find(1)!;
  expect(requestBody).toHaveLength(64_001);
  expect(requestBody).not.toContain('sk_1');
});
