import { parseArgs } from 'node:util';
import { inLanes, type JournalKind, Killing } from '../behaviour/processes/killing.js';
import { runHistory, shrink, watchStrayRejections } from './history.js';
import { findMistake, MISTAKES } from './mistakes.js';
import { COPIES, sdkCopies } from './sdk-copies.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
    /** The whole history, not the part that a failure needs. */
    whole: { type: 'boolean', default: false },
    kills: { type: 'string' },
    mistakes: { type: 'boolean', default: false },
  },
});

watchStrayRejections();
const copies = await sdkCopies(COPIES);
if (values.mistakes) await plantMistakes(Number(values.runs));
else if (values.kills !== undefined) await killAll(Number(values.kills));
else if (values.seed !== undefined) await replay(Number(values.seed));
else await runAll(Number(values.from), Number(values.runs));

async function replay(seed: number): Promise<void> {
  const whole = await runHistory(seed, copies);
  const leftOut = whole.violation && !values.whole ? await shrink(seed, copies) : new Set<string>();
  const { violation, trace, mishaps } = await runHistory(seed, copies, { isTraced: true, leftOut });
  console.log(trace.join('\n'));
  console.log(`\nseed ${seed}: ${violation ?? 'all invariants hold'}`);
  console.log(`mishaps: ${mishaps.join(' ')}`);
  process.exitCode = violation ? 1 : 0;
}

async function runAll(from: number, runs: number): Promise<void> {
  const startedAt = performance.now();
  const failures: { seed: number; violation: string }[] = [];
  let reportedAt = startedAt;
  for (let done = 0; done < runs; done += 1) {
    const { seed, violation } = await runHistory(from + done, copies);
    if (violation) {
      failures.push({ seed, violation });
      console.log(`seed ${seed}: ${violation.split('\n')[0]}`);
      if (!values['keep-going']) break;
    }
    if (performance.now() - reportedAt > 10_000) {
      reportedAt = performance.now();
      console.log(
        `${done + 1} of ${runs} runs, ${failures.length} failures, ${((reportedAt - startedAt) / (done + 1)).toFixed(1)} ms each`,
      );
    }
  }
  console.log(
    `${runs} runs from seed ${from}: ${failures.length} failures, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** Real processes, killed and stopped, over both journals. */
async function killAll(times: number): Promise<void> {
  for (const journal of ['files', 'store'] satisfies JournalKind[]) {
    const startedAt = performance.now();
    const killing = new Killing({ journal, seed: Number(values.from) });
    await killing.start();
    const progress = (what: string) => (done: number) => {
      if (done % 20 === 0) console.log(`${journal}: ${done} of ${times} ${what}`);
    };
    const killed = await inLanes(times, 4, () => killing.killOnce(), progress('killed'));
    const stopped = await inLanes(times, 4, () => killing.stopOnce(), progress('stopped'));
    await killing.close();
    for (const complaint of [...killed, ...stopped]) console.log(complaint);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(
      `${journal}: ${killed.length} of ${times} kills and ${stopped.length} of ${times} stops failed, ${seconds} s`,
    );
    if (killed.length + stopped.length > 0) process.exitCode = 1;
  }
}

/** Plants one mistake after the other, and tells how soon each is found. */
async function plantMistakes(mostRuns: number): Promise<void> {
  for (const mistake of MISTAKES) {
    const { name, runs, seconds, violation } = await findMistake(mistake, mostRuns);
    const after = runs === undefined ? 'NOT FOUND' : `found by run ${runs}`;
    console.log(`${name}: ${after}, ${seconds.toFixed(1)} s (${violation.split('\n')[0]})`);
    if (runs === undefined) process.exitCode = 1;
  }
}
