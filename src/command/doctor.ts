import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { examine } from '../doctor/doctor.js';
import { endLines, findingLines } from '../doctor/report.js';
import { type Choices, readProfile } from '../profile/profile.js';
import type { CommandOutput } from './subcommand.js';

const USAGE = [
  'Usage: npx online-ordering-sdk doctor [options]',
  '',
  'Looks at everything between this machine and your data at the service, in order, and says what is wrong and what to do.',
  'It reads only, asks for one token, and prints no secret, token or customer id.',
  '',
  '  --base-url URL         instead of ONLINE_ORDERING_BASE_URL',
  '  --client-id ID         instead of ONLINE_ORDERING_CLIENT_ID',
  '  --other-base-url URL   the address of your other environment: tells whether refused credentials belong there',
  '  --profile FILE         what the service chose, as `certify` wrote it',
  '  --json                 one JSON object instead of lines',
  '',
  'The secret is read from ONLINE_ORDERING_CLIENT_SECRET. Exit code: 0 all is well, 1 warnings, 2 something is wrong.',
].join('\n');

/** `online-ordering-sdk doctor`. */
export async function runDoctor(args: readonly string[], { out, err }: CommandOutput): Promise<number> {
  let values: ReturnType<typeof readArguments>;
  try {
    values = readArguments(args);
  } catch (error) {
    err(`${error instanceof Error ? error.message.split(/\.\s/)[0] : error}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) {
    out(USAGE);
    return 0;
  }
  const { ONLINE_ORDERING_BASE_URL, ONLINE_ORDERING_CLIENT_ID, ONLINE_ORDERING_CLIENT_SECRET } = process.env;
  const settings = {
    baseUrl: values['base-url'] ?? ONLINE_ORDERING_BASE_URL,
    clientId: values['client-id'] ?? ONLINE_ORDERING_CLIENT_ID,
    clientSecret: ONLINE_ORDERING_CLIENT_SECRET,
    otherBaseUrl: values['other-base-url'],
  };
  const choices = values.profile === undefined ? undefined : await choicesIn(values.profile);
  const say = (lines: readonly string[]): void => {
    for (const line of lines) out(line);
  };
  const tell = values.json ? undefined : (finding: Parameters<typeof findingLines>[0]) => say(findingLines(finding));
  const report = await examine(settings, { choices, ...(tell && { tell }) });
  if (values.json) out(JSON.stringify(report, null, 2));
  else say(endLines(report));
  return report.exitCode;
}

/** The choices of a profile's file. @throws Error that names the file, and what is wrong with it. */
export async function choicesIn(file: string): Promise<Choices> {
  let profile: unknown;
  try {
    profile = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
  const read = readProfile(profile);
  if ('problem' in read) throw new Error(`${file} cannot be used: ${read.problem}.`);
  return read.choices;
}

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      'base-url': { type: 'string' },
      'client-id': { type: 'string' },
      'other-base-url': { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
}
