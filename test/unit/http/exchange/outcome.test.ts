import { describe, expect, test } from 'vitest';
import { Failure, type FailureFacts } from '../../../../src/http/exchange/failure.js';
import type { OperationKind } from '../../../../src/http/exchange/operation.js';
import { outcomeOfStatus, verdictOfFailure, verdictOfStatus } from '../../../../src/http/exchange/outcome.js';

const KINDS: readonly OperationKind[] = ['read', 'write', 'money', 'token'];

test.each([
  [200, 'done'],
  [201, 'done'],
  [204, 'done'],
  [301, 'unknown'],
  [304, 'unknown'],
  [400, 'refused'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'refused'],
  [408, 'unknown'],
  [409, 'refused'],
  [422, 'refused'],
  [429, 'refused'],
  [500, 'unknown'],
  [501, 'unknown'],
  [502, 'unknown'],
  [599, 'unknown'],
])('status %i leaves the outcome %s', (status, outcome) => {
  expect(outcomeOfStatus(status)).toBe(outcome);
});

describe('a response', () => {
  test.each([
    [301, 'final', 'final'],
    [400, 'final', 'final'],
    [401, 'final', 'final'],
    [403, 'final', 'final'],
    [404, 'final', 'final'],
    [408, 'backoff', 'final'],
    [409, 'final', 'final'],
    [422, 'final', 'final'],
    [425, 'final', 'final'],
    [429, 'rate_limited', 'rate_limited'],
    [500, 'backoff', 'final'],
    [501, 'final', 'final'],
    [502, 'backoff', 'final'],
    [503, 'backoff', 'final'],
    [504, 'backoff', 'final'],
    [505, 'final', 'final'],
    [520, 'backoff', 'final'],
  ])('%i is %s, and %s for what moves money', (status, verdict, ofPayment) => {
    for (const kind of KINDS) expect(verdictOfStatus(kind, status)).toBe(kind === 'money' ? ofPayment : verdict);
  });
});

describe('a failure', () => {
  const verdict = (kind: OperationKind, facts: FailureFacts, attempts = 1) =>
    verdictOfFailure(kind, new Failure(facts), attempts);
  const connection = (code: string, written: boolean, permanent = false): FailureFacts => ({
    kind: 'connection',
    code,
    written,
    permanent,
  });

  test('before anything was written is tried again, whatever the request does', () => {
    for (const kind of KINDS) {
      expect(verdict(kind, connection('ECONNREFUSED', false))).toBe('backoff');
      expect(verdict(kind, { kind: 'timeout', written: false })).toBe('backoff');
    }
  });

  test('after it was written is tried again, payments and refunds excepted', () => {
    for (const kind of KINDS) {
      const expected = kind === 'money' ? 'final' : 'backoff';
      expect(verdict(kind, connection('ECONNRESET', true))).toBe(expected);
      expect(verdict(kind, { kind: 'timeout', written: true })).toBe(expected);
      for (const reason of ['empty', 'not_json', 'truncated'] as const) {
        expect(verdict(kind, { kind: 'unusable', written: true, reason, status: 200, headers: {} })).toBe(expected);
      }
    }
  });

  test('that would come again in the same way is final', () => {
    for (const kind of KINDS) {
      expect(verdict(kind, connection('CERT_HAS_EXPIRED', false, true))).toBe('final');
      for (const reason of ['too_large', 'encoding'] as const) {
        expect(verdict(kind, { kind: 'unusable', written: true, reason, status: 200, headers: {} })).toBe('final');
      }
    }
  });

  test('of an unknown name is tried once more', () => {
    expect(verdict('read', connection('ENOTFOUND', false), 1)).toBe('backoff');
    expect(verdict('read', connection('ENOTFOUND', false), 2)).toBe('final');
    expect(verdict('read', connection('EAI_AGAIN', false), 2)).toBe('backoff');
  });

  test('by the caller, the deadline or a pause is final', () => {
    for (const kind of KINDS) {
      expect(verdict(kind, { kind: 'aborted', written: false })).toBe('final');
      expect(verdict(kind, { kind: 'deadline', written: false })).toBe('final');
      expect(verdict(kind, { kind: 'paused', written: false, retryAfterSeconds: 1 })).toBe('final');
      expect(verdict(kind, { kind: 'token', written: false, response: undefined })).toBe('final');
    }
  });
});
