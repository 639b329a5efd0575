import { parseCommand } from './arguments.js';
import { HOOKS_USAGE, MOCK_USAGE } from './flags.js';
import { runHooks } from './run-hooks.js';
import { runMock } from './run-mock.js';

/** Where lines go. */
interface Output {
  out(line: string): void;
  err(line: string): void;
}

/** `online-ordering-sdk mock`: gives 0 once the service listens, which goes on until it is interrupted. */
export async function runMockCommand(args: readonly string[], output: Output): Promise<number> {
  const parsed = parseCommand(['mock', ...args]);
  if ('help' in parsed) return show(MOCK_USAGE, output);
  if ('problem' in parsed) return refuse(parsed.problem, MOCK_USAGE, output);
  if (parsed.command === 'mock') await runMock(parsed, output.out);
  return 0;
}

/** `online-ordering-sdk hooks`: gives 0 when the receiver took the event. */
export async function runHooksCommand(args: readonly string[], output: Output): Promise<number> {
  const parsed = parseCommand(['hooks', ...args]);
  if ('help' in parsed) return show(HOOKS_USAGE, output);
  if ('problem' in parsed) return refuse(parsed.problem, HOOKS_USAGE, output);
  return parsed.command === 'mock' || (await runHooks(parsed, output.out)) ? 0 : 1;
}

function show(usage: string, { out }: Output): number {
  out(usage);
  return 0;
}

function refuse(problem: string, usage: string, { err }: Output): number {
  err(`${problem}\n\n${usage}`);
  return 2;
}
