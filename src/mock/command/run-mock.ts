import { createMockService } from '../index.js';
import type { MockCommand } from './arguments.js';
import { requestLine, welcome } from './texts.js';

/** Serves until it is interrupted. `print` gets lines. */
export async function runMock(command: MockCommand, print: (line: string) => void): Promise<void> {
  const { port, seed, latencyMs, behaviour } = command;
  const service = createMockService({ seed, latency: latencyMs, clock: 'real', behaviour });
  const server = await service.listen({ port }).catch((error: unknown) => {
    throw explained(error, port);
  });
  service.onRequest((request) => print(requestLine(request)));
  const stop = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    void service.close().then(() => print('Stopped.'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Last: whoever reads it may interrupt at once.
  print(welcome(service, server.url));
}

function explained(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use. Write another one, as in --port ${port + 1}, or --port 0.`);
  if (code === 'EACCES')
    return new Error(`Port ${port} may not be used by this user. Write one above 1023, as in --port 4010.`);
  return error;
}
