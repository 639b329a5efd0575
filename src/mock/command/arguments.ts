import { parseArgs } from 'node:util';
import type { BehaviourChange } from '../behaviour/behaviour.js';
import { BEHAVIOUR_FLAGS, readBehaviourFlags } from './behaviour-flags.js';
import { type Flag, MOCK_FLAGS, MOCK_SWITCHES, type MockFlagName } from './flags.js';

export interface MockCommand {
  readonly command: 'mock';
  readonly port: number;
  /** Left out: that of the state file, else 1. */
  readonly seed: number | undefined;
  readonly latencyMs: number;
  readonly clock: 'real' | 'virtual';
  readonly autoAdvance: string | undefined;
  readonly forwardTo: string | undefined;
  readonly faultsFile: string | undefined;
  readonly seedFile: string | undefined;
  readonly profileFile: string | undefined;
  readonly stateFile: string | undefined;
  readonly log: 'text' | 'json';
  readonly strict: boolean;
  readonly workbench: boolean;
  readonly behaviour: BehaviourChange;
}

export interface HooksCommand {
  readonly command: 'hooks send' | 'hooks replay';
  /** The event type, or the id of an event that was sent. */
  readonly subject: string;
  readonly to: string | undefined;
  readonly secret: string | undefined;
  /** JSON of the event's data. */
  readonly data: unknown;
}

type Parsed = MockCommand | HooksCommand | { readonly problem: string } | { readonly help: true };

/** Reads the arguments behind the program's name; never throws. */
export function parseCommand(args: readonly string[]): Parsed {
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
  switch (command) {
    case 'mock':
      return others.length === 0 ? readMock(values) : { problem: notUnderstood(others[0]!) };
    case 'hooks':
      return readHooks(others, values);
    case undefined:
      return { problem: 'Say what to do: write `online-ordering-sdk mock`.' };
    default:
      return { problem: `There is no command "${command}"; write \`online-ordering-sdk mock\`.` };
  }
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function readMock(values: Values): Parsed {
  const only = ['to', 'secret', 'data'].find((name) => values[name] !== undefined);
  if (only) return { problem: `--${only} belongs to \`online-ordering-sdk hooks\`.` };
  const problems: string[] = [];
  const read = <Name extends MockFlagName>(name: Name): (typeof MOCK_FLAGS)[Name]['fallback'] => {
    const flag: Flag<unknown> = MOCK_FLAGS[name];
    const text = values[name];
    const value = text === undefined ? flag.fallback : flag.read(String(text));
    if (text !== undefined && value === undefined)
      problems.push(`--${name} is "${withoutUser(String(text))}"; write ${flag.write}.`);
    return value as (typeof MOCK_FLAGS)[Name]['fallback'];
  };
  const command = {
    command: 'mock' as const,
    port: read('port'),
    seed: read('seed'),
    latencyMs: read('latency'),
    clock: read('clock'),
    autoAdvance: read('auto-advance'),
    forwardTo: read('forward-to'),
    faultsFile: read('faults'),
    seedFile: read('seed-file'),
    profileFile: read('profile'),
    stateFile: read('state'),
    log: read('log'),
    strict: values.strict === true,
    workbench: values['no-workbench'] !== true,
  };
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  const behaviour = readBehaviourFlags(values);
  return 'problem' in behaviour ? behaviour : { ...command, behaviour: behaviour.change };
}

function readHooks([action, subject, ...others]: readonly string[], values: Values): Parsed {
  if (action !== 'send' && action !== 'replay') {
    return { problem: 'Write `hooks send TYPE --to URL` or `hooks replay ID`.' };
  }
  if (subject === undefined) {
    return {
      problem: action === 'send' ? 'Name the event type, as in `hooks send order.created`.' : 'Name the event id.',
    };
  }
  if (others.length > 0) return { problem: notUnderstood(others[0]!) };
  const to = MOCK_FLAGS['forward-to'].read(String(values.to ?? ''));
  if (to === undefined && (action === 'send' || values.to !== undefined)) {
    return {
      problem:
        '--to names the receiver: an http or https address without a user name, as in --to http://127.0.0.1:3000/hooks.',
    };
  }
  try {
    const data: unknown = values.data === undefined ? undefined : JSON.parse(String(values.data));
    const secret = values.secret === undefined ? undefined : String(values.secret);
    return { command: `hooks ${action}`, subject, to, secret, data };
  } catch {
    return { problem: `--data is no JSON; write an object, as in --data '{"order_id":"…"}'.` };
  }
}

/** A password in an address is for nobody's log. */
const withoutUser = (text: string): string => text.replace(/\/\/[^/]*@/, '//…@');

const notUnderstood = (word: string): string =>
  `"${word}" is not understood; options begin with --, as in --port 4010.`;

const withText = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));

function readArguments(args: readonly string[]): { values: Values; positionals: string[] } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...withText([...Object.keys(MOCK_FLAGS), ...BEHAVIOUR_FLAGS.map(({ flag }) => flag), 'to', 'secret', 'data']),
      ...Object.fromEntries(Object.keys(MOCK_SWITCHES).map((name) => [name, { type: 'boolean' as const }])),
      help: { type: 'boolean', short: 'h' },
    },
  });
  return { values: values as Values, positionals };
}
