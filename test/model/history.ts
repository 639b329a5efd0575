import { Draws } from './draws.js';
import { type HistoryOptions, Scene } from './scene.js';
import type { Sdk } from './sdk-copies.js';
import { SettleHistory } from './settle-history.js';
import { SinglesHistory } from './singles-history.js';
import { Violation } from './violation.js';

export interface Outcome {
  readonly seed: number;
  readonly violation: string | undefined;
  readonly mishaps: readonly string[];
  readonly trace: readonly string[];
  readonly ends: readonly string[];
}

const stray: unknown[] = [];

/** A rejection that nobody handles fails the history in which it comes; a test runner sees to that by itself. */
export function watchStrayRejections(): void {
  process.on('unhandledRejection', (reason) => stray.push(reason));
}

/** Lets one history happen, and tells whether the money came out right. */
export async function runHistory(seed: number, copies: readonly Sdk[], options: HistoryOptions = {}): Promise<Outcome> {
  const draws = new Draws(seed, options.leftOut);
  const scene = new Scene(draws, copies, options);
  const history = draws.chance('singles', 0.2) ? new SinglesHistory(scene) : new SettleHistory(scene);
  let violation: string | undefined;
  try {
    stray.length = 0;
    await history.happen();
    const [first] = stray;
    if (first !== undefined)
      throw new Violation(`a rejection was not handled: ${first instanceof Error ? first.stack : first}`);
  } catch (error) {
    violation = error instanceof Violation ? error.message : `failed: ${error instanceof Error ? error.stack : error}`;
  } finally {
    scene.end();
  }
  return { seed, violation, mishaps: draws.mishaps, trace: scene.world.trace, ends: scene.ends };
}

/** Leaves out what a failure does not need. */
export async function shrink(seed: number, copies: readonly Sdk[]): Promise<ReadonlySet<string>> {
  let leftOut: ReadonlySet<string> = new Set();
  let { mishaps } = await runHistory(seed, copies);
  for (let size = Math.ceil(mishaps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < mishaps.length; at += size) {
      const tried = new Set([...leftOut, ...mishaps.slice(at, at + size)]);
      const { violation } = await runHistory(seed, copies, { leftOut: tried });
      if (violation !== undefined) leftOut = tried;
    }
    ({ mishaps } = await runHistory(seed, copies, { leftOut }));
  }
  return leftOut;
}
