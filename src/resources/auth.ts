import type { TokenManager } from '../auth/token-manager.js';
import { type CallDefaults, type CallOptions, NO_OPTIONS, resolveCallOptions } from '../http/call-options.js';
import { AttemptLog } from '../http/exchange/attempt-log.js';
import { operationOf } from '../http/exchange/operation.js';
import { throwIfEnded } from '../http/exchange/wait.js';
import { errorOfFailure } from '../http/response/to-error.js';

/** The access token, for those who need it themselves. */
export class Auth {
  readonly #tokens: TokenManager;
  readonly #defaults: CallDefaults;
  readonly #requestIdHeader: string;

  /** @internal Made by the client. */
  constructor(tokens: TokenManager, defaults: CallDefaults, requestIdHeader: string) {
    this.#tokens = tokens;
    this.#defaults = defaults;
    this.#requestIdHeader = requestIdHeader;
  }

  /**
   * The client's present access token, asked for when there is none. Keep it out of logs.
   *
   * @throws {AuthenticationError} The credentials are wrong.
   * @throws {TokenUnavailableError} The token endpoint sent no response, or failed.
   * @see Interface document, "Authentication"
   */
  async accessToken(options: Pick<CallOptions, 'signal' | 'deadline'> = NO_OPTIONS): Promise<string> {
    const call = {
      operation: operationOf('POST', '/auth/token'),
      settings: resolveCallOptions(options, this.#defaults),
      idempotencyKey: undefined,
      log: new AttemptLog(),
    };
    const { clock } = this.#defaults;
    try {
      throwIfEnded(call, clock);
      return await this.#tokens.forCall(call);
    } catch (error) {
      throw errorOfFailure(error, call, { nowMs: clock.now(), requestIdHeader: this.#requestIdHeader });
    }
  }
}
