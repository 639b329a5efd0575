import { type Profile, readProfile } from '../../profile/profile.js';
import { demand } from '../checks/check.js';
import { createMockService } from '../index.js';
import { OWN_DATA } from '../samples/own-data.js';
import type { MockService } from '../service.js';
import { differenceOf, readSnapshot } from '../snapshot/snapshot.js';
import { EVENT_TYPES } from '../webhooks/event-types.js';
import type { MockCommand } from './arguments.js';
import { historyFile, remember } from './history.js';
import { readJson, setFaultsOf } from './read-files.js';
import { readState, StateFile } from './state-file.js';
import { lockState, type StateLock } from './state-lock.js';
import { deliveryHint, deliveryLine, forwardedLine, requestLine, welcome } from './texts.js';

/** Address of the subscription behind `--forward-to`; its deliveries go to the address that was given. */
const FORWARD_URL = 'https://forward.invalid/';

/** Serves until it is interrupted. `print` gets lines. */
export async function runMock(
  command: MockCommand,
  print: (line: string) => void,
  history = historyFile(),
): Promise<void> {
  const lock = command.stateFile === undefined ? undefined : await lockState(command.stateFile);
  try {
    await serve(command, { print, history, lock });
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

interface Surroundings {
  readonly print: (line: string) => void;
  readonly history: string;
  readonly lock: StateLock | undefined;
}

async function serve(command: MockCommand, { print, history, lock }: Surroundings): Promise<void> {
  const { port, forwardTo, faultsFile, stateFile: file, workbench } = command;
  const service = await createService(command);
  if (faultsFile !== undefined) {
    service.faults.clear(); // those that a state file has kept came from there, too
    await setFaultsOf(faultsFile, service.faults);
  }
  const say = command.log === 'json' ? printJson(print) : printText(print);
  const complain = (error: unknown): void => say('problem', { message: messageOf(error) }, messageOf(error));
  const signingSecret = forwardTo === undefined ? undefined : forward(service, forwardTo, say);
  const state = lock && new StateFile({ service, lock, onError: complain });
  await state?.save(); // a file that cannot be written is told at once
  const server = await service.listen({ port, workbench }).catch((error: unknown) => {
    throw explained(error, port);
  });

  service.onRequest((request) => say('request', request, requestLine(request)));
  service.webhooks.onDelivery(({ requestBody, responseBody, responseHeaders, ...delivery }) => {
    const hint = deliveryHint({ ...delivery, responseHeaders, responseBody });
    const told = hint === undefined ? delivery : { ...delivery, hint };
    say('delivery', told, deliveryLine(told));
  });
  if (forwardTo !== undefined) rememberDeliveries(service, { to: forwardTo, secret: signingSecret!, history });
  const stop = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    const end = async (): Promise<void> => {
      await service.close();
      await state?.end();
      say('stopped', {}, 'Stopped.');
    };
    end().catch((error: unknown) => {
      complain(error);
      process.exitCode = 1;
    });
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
    ...(file !== undefined && { stateFile: file }),
  };
  say('started', started, welcome(service, server, { forwarded, stateFile: file }));
}

async function createService(command: MockCommand): Promise<MockService> {
  const { latencyMs, clock, behaviour, strict, autoAdvance, seedFile, profileFile, stateFile } = command;
  const data = seedFile === undefined ? undefined : demand(seedFile, await readJson(seedFile), OWN_DATA);
  const snapshot = stateFile === undefined ? undefined : await readState(stateFile);
  const kept = snapshot === undefined ? undefined : readSnapshot(snapshot);
  const { seed = kept?.seed } = command;
  if (kept && kept.seed !== seed) throw new Error(`${stateFile} is of --seed ${kept.seed}: leave --seed out.`);
  // Read, and refused, by the service.
  const profile = profileFile === undefined ? undefined : ((await readJson(profileFile)) as Profile);
  const read = kept && profile && readProfile(profile);
  const difference = read && 'choices' in read ? differenceOf(kept, read.choices) : undefined;
  if (difference !== undefined) {
    throw new Error(
      `${stateFile} is of another profile (${difference}): leave --profile out, or give --state another file.`,
    );
  }
  return createMockService({
    seed,
    profile,
    snapshot,
    latency: latencyMs,
    clock,
    behaviour,
    // Without the flag the profile decides.
    strict: strict || undefined,
    autoAdvance,
    data,
    // A receiver that is being built fails often; its forwarding must not end with that.
    deliveries: { disableAfter: Number.MAX_SAFE_INTEGER },
  });
}

/** Subscribes the target, and does so again after each reset. @returns The signing secret. */
function forward(service: MockService, to: string, say: Say): string {
  const subscribe = (): string =>
    service.webhooks.subscribe({ url: FORWARD_URL, event_types: EVENT_TYPES }).signing_secret;
  const first = subscribe();
  service.webhooks.route(FORWARD_URL, to);
  service.onChange((what) => {
    if (what !== 'everything') return;
    const signingSecret = subscribe();
    if (signingSecret !== first) say('forwarded', { to, signingSecret }, forwardedLine({ to, signingSecret }));
  });
  return first;
}

/** So that `hooks replay` can send them again, with the same bytes and signature. */
function rememberDeliveries(
  service: MockService,
  { to, secret, history }: { to: string; secret: string; history: string },
): void {
  let remembering = Promise.resolve();
  service.webhooks.onDelivery(({ eventId, url, attempt }) => {
    const event = service.webhooks.events().find(({ event_id }) => event_id === eventId);
    if (!event || attempt > 1 || url !== FORWARD_URL) return;
    const sent = { id: eventId, to, body: JSON.stringify(event), secret };
    // A history that cannot be written is no reason to stop serving.
    remembering = remembering.then(() => remember(history, sent)).catch(() => {});
  });
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function explained(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use. Write another one, as in --port ${port + 1}, or --port 0.`);
  if (code === 'EACCES')
    return new Error(`Port ${port} may not be used by this user. Write one above 1023, as in --port 4010.`);
  return error;
}
