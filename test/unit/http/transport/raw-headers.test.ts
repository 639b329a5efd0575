import { expect, test } from 'vitest';
import { readHeaders } from '../../../../src/http/transport/raw-headers.js';

/** Name and value by turns, as undici's parser gives them. */
const raw = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text, 'latin1'));

test('names are in lower case, whatever the service writes', () => {
  expect(readHeaders(raw('Content-Type', 'application/json', 'X-REQUEST-ID', 'r1'))).toEqual({
    'content-type': 'application/json',
    'x-request-id': 'r1',
  });
});

test('the same names again bring their own values', () => {
  expect(readHeaders(raw('A', '1', 'B', '2'))).toEqual({ a: '1', b: '2' });
  expect(readHeaders(raw('A', '3', 'B', '4'))).toEqual({ a: '3', b: '4' });
});

test.each([
  ['another last name', raw('A', '1', 'C', '2'), { a: '1', c: '2' }],
  ['another first name', raw('C', '1', 'B', '2'), { c: '1', b: '2' }],
  ['names by turns', raw('B', '1', 'A', '2'), { b: '1', a: '2' }],
  ['a longer name that begins alike', raw('A', '1', 'B-b', '2'), { a: '1', 'b-b': '2' }],
  ['a name without letters', raw('A', '1', '', '2'), { a: '1', '': '2' }],
  ['other capitals', raw('a', '1', 'b', '2'), { a: '1', b: '2' }],
])('%s after a response of the same length is read by itself', (_name, headers, expected) => {
  readHeaders(raw('A', '0', 'B', '0'));

  expect(readHeaders(headers)).toEqual(expected);
  expect(readHeaders(raw('A', '5', 'B', '6'))).toEqual({ a: '5', b: '6' });
});

test('the values of a repeated name are joined, each time', () => {
  for (let time = 0; time < 3; time += 1) {
    expect(readHeaders(raw('Warning', 'one', 'X', '1', 'warning', 'two'))).toEqual({ warning: 'one, two', x: '1' });
  }
  expect(readHeaders(raw('Warning', 'one', 'X', '1', 'Y', '2'))).toEqual({ warning: 'one', x: '1', y: '2' });
});

test('a header that is named as the prototype of an object is left out', () => {
  for (let time = 0; time < 3; time += 1) {
    const headers = readHeaders(raw('__proto__', 'polluted', 'a', '1'));

    expect(Object.entries(headers)).toEqual([['a', '1']]);
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  }
});

test('names that objects have anyway are names like others', () => {
  expect(readHeaders(raw('constructor', 'c', 'toString', 't'))).toEqual({ constructor: 'c', tostring: 't' });
  expect(readHeaders(raw('constructor', 'd', 'toString', 'u'))).toEqual({ constructor: 'd', tostring: 'u' });
});

test('bytes beyond ASCII are read as latin1', () => {
  expect(readHeaders(raw('X-Name', 'Café'))).toEqual({ 'x-name': 'Café' });
});

test('a hundred headers are read, and none at all', () => {
  const names = Array.from({ length: 100 }, (_, index) => `x-${index}`);
  for (const value of ['a', 'b']) {
    const headers = readHeaders(raw(...names.flatMap((name) => [name, value])));
    expect(headers).toEqual(Object.fromEntries(names.map((name) => [name, value])));
  }
  expect(readHeaders([])).toEqual({});
});

test('what is read does not change with the bytes that it came from', () => {
  const headers = raw('X-One', 'first');
  const read = readHeaders(headers);
  for (const bytes of headers) bytes.fill(0x20);

  expect(read).toEqual({ 'x-one': 'first' });
  expect(readHeaders(raw('X-One', 'again'))).toEqual({ 'x-one': 'again' });
});
