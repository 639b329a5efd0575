import { afterAll, beforeAll, expect, vi } from 'vitest';

/** Others are Node's and vitest's own, and differ by version. */
const LISTENED = ['unhandledRejection', 'uncaughtException', 'warning', 'SIGTERM', 'SIGINT'];

/** What the files of one process share: whoever changes it gives it back, or runs alone (see `files.ts`). */
const shared = () => ({
  directory: process.cwd(),
  environment: { ...process.env },
  listeners: LISTENED.map((name) => [name, process.listenerCount(name)]),
});
const functions = () => [globalThis.fetch, globalThis.setTimeout, globalThis.setInterval, Date, Date.now, Math.random];

let before: ReturnType<typeof shared>;
let functionsBefore: ReturnType<typeof functions>;

beforeAll(() => {
  before = shared();
  functionsBefore = functions();
});

afterAll(() => {
  expect(vi.isFakeTimers(), 'timers are real again').toBe(false);
  expect(shared(), 'the process is as the file found it').toEqual(before);
  expect(functions().map((now, index) => now === functionsBefore[index])).toEqual(functionsBefore.map(() => true));
});
