import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../../../src/command/index.ts', import.meta.url));

test('the command goes on serving when nobody reads its output any more', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', COMMAND, 'mock', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let url = '';
  for await (const line of createInterface(child.stdout)) {
    url = /^ONLINE_ORDERING_BASE_URL=(.*)$/.exec(line)?.[1] ?? url;
    if (line === 'Locations') break;
  }
  child.stdout.destroy();

  for (let request = 0; request < 5; request += 1) expect((await fetch(`${url}/locations`)).status).toBe(401);
  expect(child.exitCode).toBeNull();

  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
