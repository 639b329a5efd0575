import { INTERFACE_VERSION, VERSION } from '../platform/version.js';
import type { CommandOutput, Subcommand } from './subcommand.js';
import { SUBCOMMANDS } from './subcommands.js';

const PROGRAM = 'online-ordering-sdk';

/**
 * Runs what the arguments ask for. Never throws: what fails is a line on stderr.
 *
 * @param args - Those behind the program's name.
 * @returns The exit code.
 */
export async function runCommand(
  args: readonly string[],
  output: CommandOutput,
  subcommands: readonly Subcommand[] = SUBCOMMANDS,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    output.out(usageOf(subcommands));
    return 0;
  }
  if (name === '--version' || name === '-v') {
    output.out(`${PROGRAM} ${VERSION} (interface ${INTERFACE_VERSION})`);
    return 0;
  }
  const subcommand = subcommands.find((candidate) => candidate.name === name);
  if (!subcommand) {
    output.err(`${problemOf(name)}\n\n${usageOf(subcommands)}`);
    return 2;
  }
  try {
    const run = await subcommand.load();
    return await run(rest, output);
  } catch (error) {
    output.err(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function problemOf(name: string | undefined): string {
  if (name === undefined) return `Say what to do, as in \`${PROGRAM} mock\`.`;
  if (name.startsWith('-')) return `"${name}" is not understood before a subcommand; options follow its name.`;
  return `There is no subcommand "${name}".`;
}

function usageOf(subcommands: readonly Subcommand[]): string {
  const width = Math.max(...subcommands.map(({ name }) => name.length));
  return [
    `Usage: npx ${PROGRAM} SUBCOMMAND [options]`,
    '',
    ...subcommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `\`${PROGRAM} SUBCOMMAND --help\` shows the options of one; \`${PROGRAM} --version\` the version of this package.`,
  ].join('\n');
}
