import { beforeEach, describe, expect, test, vi } from 'vitest';
import { certifyMock, expectDemo, isWhole, TURNED, troubles } from './support.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

describe('Against a service with one gap turned, certify finds exactly that one, and the demonstration runs with its profile', () => {
  test.each(TURNED)('%s: %s', { timeout: 300_000 }, async (row, reading) => {
    const certificate = await certifyMock({ [row]: reading }, { rows: isWhole });
    expect(certificate.turned).toEqual({ [row]: reading });
    expect(troubles(certificate)).toEqual([]);
    await expectDemo({ [row]: reading }, certificate.profile);
  });
});
