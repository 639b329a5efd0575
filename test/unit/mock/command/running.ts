import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type MockCommand, parseCommand } from '../../../../src/mock/command/arguments.js';
import { runMock } from '../../../../src/mock/command/run-mock.js';
import { eventually } from '../../../support/eventually.js';
import type { Json } from '../open-service.js';

export async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'mock-command-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

export async function fileOf(content: unknown): Promise<string> {
  const file = join(await directory(), 'file.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Runs the command in this process until the test ends. */
export async function run(...args: string[]) {
  const lines: string[] = [];
  const history = join(await directory(), 'history.json');
  const before = process.listeners('SIGTERM');
  await runMock(
    parseCommand(['mock', '--port', '0', '--log', 'json', ...args]) as MockCommand,
    (line) => lines.push(line),
    history,
  );
  const stop = process.listeners('SIGTERM').find((listener) => !before.includes(listener))!;
  onTestFinished(() => stop('SIGTERM'));
  const said = () => lines.map((line) => JSON.parse(line) as Json);
  const started = said().find(({ type }) => type === 'started');
  let token = '';
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(started.baseUrl + path, init);
    return { status: response.status, body: await response.json() };
  };
  const { clientId: client_id, clientSecret: client_secret } = started;
  token = (await call('POST', '/auth/token', { grant_type: 'CLIENT_CREDENTIALS', client_id, client_secret })).body
    .access_token;
  const end = async (): Promise<void> => {
    stop('SIGTERM');
    await eventually(() => expect(said().at(-1).type).toBe('stopped'));
  };
  return { started, said, call, history, end };
}

/** A receiver over HTTP that responds with the given statuses, then with 200. */
export async function receiver(...statuses: number[]) {
  const seen: { body: string; signature: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({ body: Buffer.concat(chunks).toString(), signature: String(request.headers['x-service-signature']) });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}
