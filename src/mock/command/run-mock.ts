import { demand } from '../checks/check.js';
import { createMockService } from '../index.js';
import { OWN_DATA } from '../samples/own-data.js';
import type { MockService } from '../service.js';
import { EVENT_TYPES } from '../webhooks/event-types.js';
import type { MockCommand } from './arguments.js';
import { readJson, setFaultsOf } from './read-files.js';
import { deliveryLine, requestLine, welcome } from './texts.js';

/** Address of the subscription behind `--forward-to`; its deliveries go to the address that was given. */
const FORWARD_URL = 'https://forward.invalid/';

/** Serves until it is interrupted. `print` gets lines. */
export async function runMock(command: MockCommand, print: (line: string) => void): Promise<void> {
  const { port, forwardTo, faultsFile, workbench } = command;
  const service = await createService(command);
  if (faultsFile !== undefined) await setFaultsOf(faultsFile, service.faults);
  const signingSecret = forwardTo === undefined ? undefined : forward(service, forwardTo);
  const server = await service.listen({ port, workbench }).catch((error: unknown) => {
    throw explained(error, port);
  });

  const say = command.log === 'json' ? printJson(print) : printText(print);
  service.onRequest((request) => say('request', request, requestLine(request)));
  service.webhooks.onDelivery((delivery) => say('delivery', delivery, deliveryLine(delivery)));
  const stop = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    void service.close().then(() => say('stopped', {}, 'Stopped.'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Last: whoever reads it may interrupt at once.
  const forwarded = forwardTo === undefined ? undefined : { to: forwardTo, signingSecret: signingSecret! };
  const started = {
    ...service.credentials,
    baseUrl: server.url,
    workbenchUrl: server.workbenchUrl,
    ...(forwarded && { forwarded }),
  };
  say('started', started, welcome(service, server, forwarded));
}

async function createService({ seed, latencyMs, clock, behaviour, strict, autoAdvance, seedFile }: MockCommand) {
  const data = seedFile === undefined ? undefined : demand(seedFile, await readJson(seedFile), OWN_DATA);
  return createMockService({
    seed,
    latency: latencyMs,
    clock,
    behaviour,
    strict,
    autoAdvance,
    data,
    // A receiver that is being built fails often; its forwarding must not end with that.
    deliveries: { disableAfter: Number.MAX_SAFE_INTEGER },
  });
}

function forward(service: MockService, target: string): string {
  const { signing_secret } = service.webhooks.subscribe({ url: FORWARD_URL, event_types: EVENT_TYPES });
  service.webhooks.route(FORWARD_URL, target);
  return signing_secret;
}

type Say = (type: string, facts: object, line: string) => void;

const printText =
  (print: (line: string) => void): Say =>
  (_type, _facts, line) =>
    print(line);

const printJson =
  (print: (line: string) => void): Say =>
  (type, facts) =>
    print(JSON.stringify({ type, ...facts }));

function explained(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use. Write another one, as in --port ${port + 1}, or --port 0.`);
  if (code === 'EACCES')
    return new Error(`Port ${port} may not be used by this user. Write one above 1023, as in --port 4010.`);
  return error;
}
