import { AttemptLog } from '../../src/http/exchange/attempt-log.js';
import type { Call } from '../../src/http/exchange/call.js';
import { operationOf } from '../../src/http/exchange/operation.js';

/** A call of a GET, with the settings and fields that matter to a test. */
export function callOf({
  settings,
  ...fields
}: Partial<Omit<Call, 'settings'>> & { settings?: Partial<Call['settings']> } = {}): Call {
  return {
    operation: operationOf('GET', '/x'),
    settings: {
      signal: undefined,
      timeout: 1000,
      deadlineAt: Number.POSITIVE_INFINITY,
      maxWait: 0,
      maxRetries: 0,
      ...settings,
    },
    locationId: '',
    origin: 'https://x.example',
    path: '/x',
    headers: {},
    body: undefined,
    emptyAllowed: false,
    idempotencyKey: undefined,
    checkBeforeSending: undefined,
    trace: undefined,
    log: new AttemptLog(),
    ...fields,
  };
}
