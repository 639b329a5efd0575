import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { nodeBuiltin } from '../../../src/platform/node-builtin.js';

afterEach(() => vi.unstubAllGlobals());

test('a module of Node is found where the runtime has it', () => {
  expect(nodeBuiltin('node:crypto')?.createHash).toBe(createHash);
});

test.each([
  ['no process', undefined],
  ['a process of a bundler', { env: {} }],
  ['a process that lacks the module', { getBuiltinModule: () => undefined }],
])('there is none with %s', (_, process) => {
  vi.stubGlobal('process', process);

  expect(nodeBuiltin('node:crypto')).toBeUndefined();
});
