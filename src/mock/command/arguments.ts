import { parseArgs } from 'node:util';
import type { BehaviourChange } from '../behaviour/behaviour.js';
import { BEHAVIOUR_FLAGS, readBehaviourFlags } from './behaviour-flags.js';

export const USAGE = `Usage: npx online-ordering-sdk mock [--port 4010] [--seed 1] [--latency 0] [--keys-in-flight run_twice] …

  --port      port on 127.0.0.1, 0 to 65535; 0 takes any free one (default 4010)
  --seed      a whole number; the same seed gives the same ids and credentials (default 1)
  --latency   milliseconds that every answer takes (default 0)

Where the interface document promises nothing, the service is kind; less so with

${BEHAVIOUR_FLAGS.map(({ flag, usage }) => `  --${flag} ${usage}`).join('\n')}`;

export interface MockCommand {
  readonly port: number;
  readonly seed: number;
  readonly latencyMs: number;
  readonly behaviour: BehaviourChange;
}

/** Reads the arguments behind the program's name; never throws. */
export function parseCommand(args: readonly string[]): MockCommand | { problem: string } | { help: true } {
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments(args);
  } catch (error) {
    // Its first sentence names the argument; the rest explains a rule of parsing.
    const said = String(error instanceof Error ? error.message : error).split(/\.\s/)[0]!;
    return { problem: `${said}; each option has a value, as in --port 4010. --help lists them.` };
  }
  const { values, positionals } = parsed;
  if (values.help) return { help: true };
  const [command, ...others] = positionals;
  if (command === undefined) return { problem: 'Say what to do: write `online-ordering-sdk mock`.' };
  if (command !== 'mock') return { problem: `There is no command "${command}"; write \`online-ordering-sdk mock\`.` };
  if (others.length > 0)
    return { problem: `"${others[0]}" is not understood; options begin with --, as in --port 4010.` };

  const port = wholeNumber(values.port, 0, 65_535);
  if (port === undefined)
    return { problem: `--port is "${values.port}"; write a number from 0 to 65535, as in --port 4010.` };
  const seed = wholeNumber(values.seed, 0, Number.MAX_SAFE_INTEGER);
  if (seed === undefined) return { problem: `--seed is "${values.seed}"; write a whole number, as in --seed 7.` };
  const latencyMs = wholeNumber(values.latency, 0, 600_000);
  if (latencyMs === undefined) {
    return { problem: `--latency is "${values.latency}"; write milliseconds from 0 to 600000, as in --latency 150.` };
  }
  const behaviour = readBehaviourFlags(values);
  if ('problem' in behaviour) return behaviour;
  return { port, seed, latencyMs, behaviour: behaviour.change };
}

const BEHAVIOUR_OPTIONS = Object.fromEntries(BEHAVIOUR_FLAGS.map(({ flag }) => [flag, { type: 'string' as const }]));

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '4010' },
      seed: { type: 'string', default: '1' },
      latency: { type: 'string', default: '0' },
      ...BEHAVIOUR_OPTIONS,
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
}

function wholeNumber(text: string, smallest: number, largest: number): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= smallest && value <= largest ? value : undefined;
}
