import { describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { runCommand } from '../../../src/command/run-command.js';
import { SUBCOMMANDS } from '../../../src/command/subcommands.js';

async function run(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(args, { out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const NAMES = SUBCOMMANDS.map(({ name }) => name);

describe('online-ordering-sdk', () => {
  test.each(['--help', '-h', 'help'])('%s lists every subcommand with what it does, on stdout', async (flag) => {
    const { code, out, err } = await run(flag);

    expect(code).toBe(0);
    expect(err).toBe('');
    for (const { name, summary } of SUBCOMMANDS) {
      expect(out).toMatch(new RegExp(`^ {2}${name} +${summary}$`.replaceAll('(', '\\(').replaceAll(')', '\\)'), 'm'));
    }
  });

  test.each(['--version', '-v'])('%s names the version of the package and of the interface', async (flag) => {
    expect(await run(flag)).toEqual({
      code: 0,
      out: `online-ordering-sdk ${packageJson.version} (interface 1.0.0)`,
      err: '',
    });
  });

  test.each([
    [[], 'Say what to do, as in `online-ordering-sdk mock`.'],
    [['serve'], 'There is no subcommand "serve".'],
    [['--port', '1'], '"--port" is not understood before a subcommand; options follow its name.'],
  ])('%j gets the list on stderr, and the exit code 2', async (args, problem) => {
    const { code, out, err } = await run(...args);

    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(problem);
    for (const name of NAMES) expect(err).toContain(`  ${name}`);
  });

  test.each(NAMES)('%s --help shows how it is used, on stdout', async (name) => {
    const { code, out, err } = await run(name, '--help');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: npx online-ordering-sdk ${name}`));
  });

  test.each(NAMES)('%s with an option that it does not know says so on stderr, and ends with 2', async (name) => {
    const { code, out, err } = await run(name, '--no-such-option');

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('--no-such-option');
  });

  test('a subcommand that fails is a line on stderr and the exit code 1', async () => {
    const err: string[] = [];
    const fails = { name: 'x', summary: '', load: async () => () => Promise.reject(new Error('The disk is full.')) };

    expect(await runCommand(['x'], { out: () => {}, err: (line) => err.push(line) }, [fails])).toBe(1);
    expect(err).toEqual(['The disk is full.']);
  });
});
