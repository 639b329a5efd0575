/**
 * Places an order and receives its signed webhooks in each web framework, over the packed tarball and against the mock:
 *
 *   npm run build && npm run test:frameworks [-- --only hono,next]
 *
 * The frameworks are installed into node_modules/.cache/frameworks.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const project = join(root, 'node_modules/.cache/frameworks');
const { values } = parseArgs({ options: { only: { type: 'string' } } });

/** How each app is started; Next is built first. */
const FRAMEWORKS = {
  express4: () => node('express4.mjs'),
  express5: () => node('express5.mjs'),
  fastify: () => node('fastify.mjs'),
  hono: () => node('hono.mjs'),
  nest: () => node('nest.mjs'),
  next: async () => {
    const next = join(project, 'node_modules/next/dist/bin/next');
    execFileSync(process.execPath, [next, 'build'], { cwd: join(project, 'next'), env, stdio: 'pipe' });
    const port = await freePort();
    const args = [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)];
    return { args, cwd: join(project, 'next'), url: `http://127.0.0.1:${port}` };
  },
};
const node = (file) => ({ args: [file], cwd: project });
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' };

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function prepare() {
  mkdirSync(project, { recursive: true });
  cpSync(join(here, 'package.json'), join(project, 'package.json'));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  // A name that never changes would leave the tarball of the last run installed.
  const tarball = join(project, `sdk-${Date.now()}.tgz`);
  renameSync(join(project, filename), tarball);
  const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts'];
  rmSync(join(project, 'node_modules/online-ordering-sdk'), { recursive: true, force: true });
  execFileSync('npm', ['install', ...flags, tarball], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  rmSync(tarball);
  cpSync(join(here, 'apps'), project, { recursive: true });
  cpSync(join(project, 'shop.mjs'), join(project, 'next/shop.mjs'));
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } };
  const nest = readFileSync(join(project, 'nest.ts'), 'utf8');
  writeFileSync(join(project, 'nest.mjs'), transformSync(nest, { loader: 'ts', format: 'esm', tsconfigRaw }).code);
}

/** The address that an app prints, or that it was told. */
function started(child, url) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const look = (chunk) => {
      printed += chunk;
      const [found] = /http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d+/.exec(printed) ?? [];
      if (found && (!url || printed.includes('Ready'))) resolve(url ?? found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', () => reject(new Error(`it ended: ${printed}`)));
  });
}

const EXPECTED = ['order.created', 'order.status_changed'];

async function tryOne(name, service, server) {
  const hook = `https://${name}.example.com/webhooks`;
  const { signing_secret } = service.webhooks.subscribe({ url: hook, event_types: EXPECTED });
  const { args, cwd, url } = await FRAMEWORKS[name]();
  const { clientId, clientSecret } = service.credentials;
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      ...env,
      ONLINE_ORDERING_BASE_URL: server.url,
      ONLINE_ORDERING_CLIENT_ID: clientId,
      ONLINE_ORDERING_CLIENT_SECRET: clientSecret,
      WEBHOOK_SECRET: signing_secret,
    },
  });
  try {
    const address = await started(child, url);
    const forged = await fetch(`${address}/webhooks`, { method: 'POST', body: '{"event_id":"forged"}' });
    if (forged.status !== 400 && forged.status !== 401) throw new Error(`a forged delivery got ${forged.status}`);
    service.webhooks.route(hook, `${address}/webhooks`);
    const order = await (await fetch(`${address}/orders`, { method: 'POST' })).json();
    if (order.status !== 'PAID') throw new Error(`the order is ${JSON.stringify(order)}`);
    for (let look = 0; ; look += 1) {
      const received = await (await fetch(`${address}/received`)).json();
      if (EXPECTED.every((type) => received.includes(type)))
        return `order ${order.status}, ${received.length} webhooks`;
      if (look === 50) throw new Error(`only these were received: ${received.join(', ')}`);
      await wait(100);
    }
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  }
}

prepare();
const { createMockService } = await import(
  pathToFileURL(join(project, 'node_modules/online-ordering-sdk/dist/mock.js'))
);
const service = createMockService({ clock: 'real' });
const server = await service.listen({ port: 0, workbench: false });
const names = values.only?.split(',') ?? Object.keys(FRAMEWORKS);
for (const name of names) {
  const version = versionOf(name);
  try {
    console.log(`ok     ${name.padEnd(9)} ${version.padEnd(10)} ${await tryOne(name, service, server)}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED ${name.padEnd(9)} ${version.padEnd(10)} ${error.message} ${error.stderr ?? ''}`);
  }
}
await server.close();
await service.close();

function versionOf(name) {
  const packages = { hono: 'hono', nest: '@nestjs/core' };
  const file = join(project, 'node_modules', packages[name] ?? name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
