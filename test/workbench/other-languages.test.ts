import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, onTestFinished, test } from 'vitest';

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.log('No python3: the example in Python is left out. Install it (apt-get install python3).');

test.skipIf(!hasPython)(
  'A Python script orders, survives a fault, pays once, and is told by signed webhooks',
  async () => {
    const service = createMockService();
    onTestFinished(() => service.close());
    const { url } = await service.listen({ workbench: true });

    const script = ['examples/other-languages/order.py', new URL(url).origin];
    const { stdout, stderr } = await promisify(execFile)('python3', script);

    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'paid with 2 attempts, charged 1 times',
      expect.stringMatching(/^told by \d+ signed webhooks, ready for pickup: True$/),
    ]);
  },
);
