import { expect, test } from 'vitest';
import { unknownOption } from '../../../src/platform/unknown-option.js';

test('an option that does not exist is named, with the one that was meant', () => {
  expect(unknownOption({ timeout: 1, maxretries: 2 }, ['timeout', 'maxRetries'])).toEqual({
    name: 'maxretries',
    message: 'The option "maxretries" does not exist; write "maxRetries".',
  });
});

test('where none was meant, those that exist are listed', () => {
  expect(unknownOption({ retries: 2 }, ['timeout', 'maxRetries'])?.message).toBe(
    'The option "retries" does not exist; known are timeout, maxRetries.',
  );
});

test('nothing is said of options that exist', () => {
  expect(unknownOption({ timeout: undefined }, ['timeout'])).toBeUndefined();
});
