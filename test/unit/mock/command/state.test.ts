import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readState, StateFile } from '../../../../src/mock/command/state-file.js';
import { lockState } from '../../../../src/mock/command/state-lock.js';
import { thisProcess } from '../../../../src/platform/process-identity.js';
import { eventually } from '../../../support/eventually.js';
import type { Json } from '../open-service.js';

const COMMAND = fileURLToPath(new URL('../../../../src/command/index.ts', import.meta.url));

function stateFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mock-state-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'mock.state');
}

async function keep(service: MockService, file: string): Promise<StateFile> {
  const lock = await lockState(file);
  onTestFinished(() => lock.release());
  return new StateFile({ service, lock, onError: () => {} });
}

function start(file: string, ...args: string[]): ChildProcess {
  const all = ['--import', 'tsx', COMMAND, 'mock', '--port', '0', '--log', 'json', '--state', file, ...args];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The command in a process of its own, and a way to ask it. */
async function serve(file: string, ...args: string[]) {
  const child = start(file, ...args);
  let started: Json;
  for await (const line of createInterface(child.stdout!)) {
    started = JSON.parse(line);
    if (started.type === 'started') break;
  }
  const call = async (method: string, path: string, token: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(started.baseUrl + path, init);
    return { status: response.status, body: await response.json() };
  };
  return { child, started, call };
}

describe('A state file', () => {
  test('lets a command that was killed go on, with its tokens, carts and credentials', async () => {
    const file = stateFile();
    const first = await serve(file, '--seed', '7');
    const { clientId: client_id, clientSecret: client_secret } = first.started;
    const grant = { grant_type: 'CLIENT_CREDENTIALS', client_id, client_secret };
    const { access_token: token } = (await first.call('POST', '/auth/token', '', grant)).body;
    const [{ id: location_id }] = (await first.call('GET', '/locations', token)).body.data;
    const cart = (await first.call('POST', '/carts', token, { location_id })).body;
    await eventually(() => expect(readFileSync(file, 'utf8')).toContain(cart.id));
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await serve(file);
    const kept = await second.call('GET', `/carts/${cart.id}`, token);
    const next = await second.call('POST', '/carts', token, { location_id });
    second.child.kill('SIGTERM');
    const [code] = await once(second.child, 'exit');

    expect(second.started.clientSecret).toBe(client_secret);
    expect([kept.status, kept.body.id]).toEqual([200, cart.id]);
    expect(next.body.id).not.toBe(cart.id);
    // What came last is there when the command was ended, and not killed.
    expect([code, readFileSync(file, 'utf8').includes(next.body.id)]).toEqual([0, true]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test('that is damaged is refused in words, and left as it is', async () => {
    const file = stateFile();
    const service = createMockService();
    await (await keep(service, file)).end();
    const whole = readFileSync(file, 'utf8');

    for (const text of [whole.slice(0, -40), whole.replace('turkey', 'turnip'), whole.replace('Turkey', 'Turnip')]) {
      if (text === whole) continue;
      writeFileSync(file, text);
      await expect(readState(file)).rejects.toThrow(`${file} is damaged: it was cut, or changed by hand.`);
    }
    writeFileSync(file, '{"orders":[]}');
    await expect(readState(file)).rejects.toThrow(/is no state of the mock.*Move it away to begin anew/);
    writeFileSync(file, '');
    await expect(readState(file)).rejects.toThrow(/is no state of the mock/);
    const child = start(file);
    let said = '';
    child.stderr!.on('data', (part) => {
      said += part;
    });
    const [code] = await once(child, 'close');

    expect([code, said]).toEqual([1, expect.stringContaining('is no state of the mock')]);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('is whole at every moment while requests come', async () => {
    const file = stateFile();
    const service = createMockService({ rateLimits: false });
    const state = await keep(service, file);
    await state.save();
    const { baseUrl } = service.credentials;

    for (let round = 0; round < 40; round += 1) {
      await service.fetch(`${baseUrl}/orders`);
      service.stock.set(
        service.samples.locations.downtown,
        service.samples.items.latte,
        round % 2 ? 'IN_STOCK' : 'LOW_STOCK',
      );
      await Promise.all([state.save(), readState(file), readState(file)]);
    }
    await state.end();

    const later = createMockService({ snapshot: (await readState(file))! });
    expect(later.webhooks.events()).toEqual(service.webhooks.events());
  });

  test('is given up when somebody else writes into it', async () => {
    const file = stateFile();
    const state = await keep(createMockService(), file);
    await state.save();
    writeFileSync(file, 'mine');

    await expect(state.save()).rejects.toThrow(`${file} was written by somebody else`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('belongs to one command at a time, and to the next when that was ended or killed', async () => {
    const file = stateFile();
    const first = await serve(file);
    const second = start(file);
    let said = '';
    second.stderr!.on('data', (part) => {
      said += part;
    });
    const [code] = await once(second, 'close');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const third = await serve(file);
    third.child.kill('SIGTERM');
    await once(third.child, 'exit');

    expect([code, said]).toEqual([1, expect.stringContaining(`${file} is in use by process ${first.child.pid} on `)]);
    expect(said).toContain('give --state another file');
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('whose process has ended is taken over by one of those who try at once', async () => {
    const file = stateFile();
    writeFileSync(`${file}.lock`, JSON.stringify({ id: 'a', since: 'then', ...thisProcess(), startTime: '1' }));

    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lockState(file)));

    const taken = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const lock of taken) onTestFinished(() => lock.release());
    expect(taken).toHaveLength(1);
    expect(await taken[0]!.isHeld()).toBe(true);
    expect(readdirSync(dirname(file))).toEqual(['mock.state.lock']);
  });

  test.each([
    ['of another container', JSON.stringify({ id: 'a', since: 'then', host: 'other', pid: 1 })],
    ['that was cut', '{"id":"a"'],
    ['that is empty', ''],
  ])('whose lock is one %s is taken over when nobody touches it', async (_, lock) => {
    const file = stateFile();
    writeFileSync(`${file}.lock`, lock);

    const taken = await lockState(file, 300);
    await taken.release();

    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('is given up when its lock is lost, and the lock of another stays', async () => {
    const file = stateFile();
    const state = await keep(createMockService(), file);
    await state.save();
    const before = readFileSync(file, 'utf8');
    writeFileSync(`${file}.lock`, 'of another');

    await expect(state.end()).rejects.toThrow(`${file} is in use by another process; this service is no longer kept`);

    expect([readFileSync(file, 'utf8'), readFileSync(`${file}.lock`, 'utf8')]).toEqual([before, 'of another']);
  });

  test('that cannot be written is told at once', async () => {
    const nowhere = join(stateFile(), 'no', 'such', 'folder');

    await expect(lockState(nowhere)).rejects.toThrow(`The state cannot be written to ${nowhere}`);
  });
});
