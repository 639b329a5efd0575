import { BEHAVIOUR_FLAGS } from './behaviour-flags.js';

/** One flag with a value. */
export interface Flag<T> {
  /** What stands behind it in the usage. */
  readonly usage: string;
  readonly fallback: T;
  /** What to write, for messages. */
  readonly write: string;
  /** `undefined` when the text is not understood. */
  read(text: string): T | undefined;
}

const flag = <T>(usage: string, fallback: T, write: string, read: (text: string) => T | undefined): Flag<T> => ({
  usage,
  fallback,
  write,
  read,
});

const anyText = (text: string): string | undefined => (text === '' ? undefined : text);

/** No request can carry a user name in its address. */
function isReceiver(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function wholeNumber(smallest: number, largest: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= smallest && value <= largest ? value : undefined;
  };
}

const oneOf =
  <T extends string>(...words: readonly T[]) =>
  (text: string): T | undefined =>
    words.find((word) => word === text);

/** Everything that `mock` takes beside the switches of the behaviour. */
export const MOCK_FLAGS = {
  port: flag(
    'port on 127.0.0.1, 0 to 65535; 0 takes any free one (default 4010)',
    4010,
    'a number from 0 to 65535, as in --port 4010',
    wholeNumber(0, 65_535),
  ),
  seed: flag(
    'a whole number; the same seed gives the same ids and credentials (default 1)',
    undefined as number | undefined,
    'a whole number, as in --seed 7',
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
  ),
  latency: flag(
    'milliseconds that every response takes (default 0)',
    0,
    'milliseconds from 0 to 600000, as in --latency 150',
    wholeNumber(0, 600_000),
  ),
  clock: flag(
    'real, or virtual: stands still at a Tuesday noon (default real)',
    'real' as 'real' | 'virtual',
    'real or virtual',
    oneOf('real', 'virtual'),
  ),
  'auto-advance': flag(
    'the store leads paid orders to their handoff, one step each 30s',
    undefined as string | undefined,
    'a duration, as in --auto-advance 30s',
    (text) => (/^\d+(\.\d+)?(ms|s|m|h|d)$/.test(text) ? text : undefined),
  ),
  'forward-to': flag(
    'delivers signed webhooks of every type to this address, with retries',
    undefined as string | undefined,
    'an http or https address without a user name, as in --forward-to http://127.0.0.1:3000/hooks',
    (text) => (isReceiver(text) ? text : undefined),
  ),
  faults: flag(
    'a JSON file: a list of faults, each with its endpoint',
    undefined as string | undefined,
    'a file, as in --faults faults.json',
    anyText,
  ),
  'seed-file': flag(
    'a JSON file with own locations, menus, promo codes, members and gift cards',
    undefined as string | undefined,
    'a file, as in --seed-file store.json',
    anyText,
  ),
  state: flag(
    'keeps everything in this file, over restarts',
    undefined as string | undefined,
    'a file, as in --state mock.state',
    anyText,
  ),
  profile: flag(
    'a JSON file: what the service chose, as `certify` wrote it; the mock then speaks as it does',
    undefined as string | undefined,
    'a file, as in --profile online-ordering.profile.json',
    anyText,
  ),
  log: flag(
    'text, or json: one object for each line (default text)',
    'text' as 'text' | 'json',
    'text or json',
    oneOf('text', 'json'),
  ),
} as const;

export type MockFlagName = keyof typeof MOCK_FLAGS;

/** Flags without a value. */
export const MOCK_SWITCHES = {
  strict: 'refuses what the interface document calls undefined',
  'no-workbench': 'serves neither the page at /_mock/ nor the control API',
} as const;

const row = (name: string, usage: string): string => `  --${name.padEnd(19)} ${usage}`;

export const MOCK_USAGE = [
  'Usage: npx online-ordering-sdk mock [flags]',
  '',
  ...Object.entries(MOCK_FLAGS).map(([name, { usage }]) => row(name, usage)),
  ...Object.entries(MOCK_SWITCHES).map(([name, usage]) => row(name, usage)),
  '',
  'Where the interface document promises nothing, the service is kind; less so with',
  '',
  ...BEHAVIOUR_FLAGS.map(({ flag: name, usage }) => row(name, usage)),
].join('\n');

export const HOOKS_USAGE = [
  'Usage: npx online-ordering-sdk hooks send TYPE --to URL [--secret whsec_…] [--data JSON]',
  '       npx online-ordering-sdk hooks replay ID [--to URL] [--secret whsec_…]',
  '',
  row('to', 'address of the receiver; `replay` takes the former one without it'),
  row('secret', 'what the delivery is signed with (default whsec_test)'),
  row('data', 'content of the event as JSON; without it, what the mock service says in an event of that type'),
].join('\n');
