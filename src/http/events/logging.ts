import { ConfigurationError } from '../../errors/local.js';
import { Emitter } from '../../platform/emitter.js';
import type { ClientEvents } from './events.js';

/** Any object with these four methods: `console`, pino, winston. */
export interface Logger {
  /** Somebody must look. */
  error(message: string, ...rest: unknown[]): void;
  /** Something is not as it should be. */
  warn(message: string, ...rest: unknown[]): void;
  /** Retries and tokens. */
  info(message: string, ...rest: unknown[]): void;
  /** Each attempt. */
  debug(message: string, ...rest: unknown[]): void;
}

/** Which lines reach the logger: those of the level and of all before it. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

const LEVELS: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug'];

/** Turns what happens into log lines. Only levels that are wanted are listened to, so that the others cost nothing. */
export function loggingEmitter(logger: Logger, level: LogLevel): Emitter<ClientEvents> {
  const rank = LEVELS.indexOf(level);
  if (rank < 0) {
    throw new ConfigurationError(
      `The option "logLevel" is ${JSON.stringify(level)}; write one of ${LEVELS.join(', ')}.`,
    );
  }
  const emitter = new Emitter<ClientEvents>();
  const at = <Name extends keyof ClientEvents>(
    lineLevel: Exclude<LogLevel, 'off'>,
    name: Name,
    line: (facts: ClientEvents[Name]) => string | undefined,
  ): void => {
    if (LEVELS.indexOf(lineLevel) > rank) return;
    emitter.on(name, (facts) => {
      const text = line(facts);
      // Returned, so that a logger that rejects is caught as one that throws is.
      return text === undefined ? undefined : logger[lineLevel](`online-ordering-sdk: ${text}`);
    });
  };

  at('debug', 'request', ({ method, path, attempt }) => `${method} ${path} attempt ${attempt}`);
  at('debug', 'response', ({ method, path, attempt, status, failure, durationMs, requestId }) => {
    const id = requestId ? ` request id ${requestId}` : '';
    return `${method} ${path} attempt ${attempt}: ${status ?? failure} in ${Math.round(durationMs)} ms${id}`;
  });
  at('info', 'retry', ({ method, path, attempts, waitMs, reason }) => {
    return `${method} ${path}: ${reason} after ${attempts} attempt(s), again in ${waitMs} ms`;
  });
  at('warn', 'cooldown', ({ method, path, pauseMs }) => `${method} ${path}: rate limited, paused for ${pauseMs} ms`);
  at('warn', 'budget', ({ method, path }) => `${method} ${path}: not sent again, the retry budget is used up`);
  at('info', 'token', ({ state }) => (state === 'renewal_failed' ? undefined : `access token ${state}`));
  at('warn', 'token', ({ state }) =>
    state === 'renewal_failed' ? 'early renewal of the access token failed' : undefined,
  );
  at('warn', 'store', ({ state, operation, error }) =>
    state === 'recovered'
      ? 'the shared store works again'
      : `the shared store failed to ${operation} (${nameOf(error)}); reported again when it works`,
  );
  at('warn', 'drift', ({ method, path, issues }) => {
    const places = issues.map((issue) => `${issue.path || 'body'} (${issue.kind})`);
    return `${method} ${path}: differs from the contract: ${places.join(', ')}`;
  });
  return emitter;
}

/** The kind of an error; its message may hold what a store or a driver quotes. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
