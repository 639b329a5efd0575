import { RequestValidationError } from '../../errors/local.js';
import type { Clock } from '../../platform/clock.js';
import { isUuidV4 } from '../../platform/uuid.js';
import type { Call } from '../exchange/call.js';
import type { Step } from '../exchange/message.js';
import { replayableUntil } from '../response/replay-window.js';

const REMEMBERED_KEYS = 10_000;

interface Use {
  readonly fingerprint: string;
  readonly firstUsedAt: number;
}

/** Which request each key of this process belongs to, so that a key used for two is refused before it is sent. */
export class KeyMemory {
  readonly #clock: Clock;
  readonly #uses = new Map<string, Use>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes the use of a key; says what is wrong with it, if anything. */
  use(key: string, fingerprint: string): string | undefined {
    const now = this.#clock.now();
    const earlier = this.#uses.get(key);
    if (earlier === undefined) {
      this.#uses.set(key, { fingerprint, firstUsedAt: now });
      this.#forgetOldest();
      return undefined;
    }
    if (earlier.fingerprint !== fingerprint) {
      return 'was used for another request already; a key belongs to one operation. Leave "idempotencyKey" out to get a fresh one';
    }
    if (now >= replayableUntil(earlier.firstUsedAt)) {
      return 'was first used more than 23 h 45 min ago, and the service, which forgets keys after 24 h, might execute the request again. Read the resource to see what became of it, then use a fresh key';
    }
    return undefined;
  }

  #forgetOldest(): void {
    if (this.#uses.size <= REMEMBERED_KEYS) return;
    const [oldest] = this.#uses.keys();
    if (oldest !== undefined) this.#uses.delete(oldest);
  }
}

/** Refuses a key that is not a UUID v4; the service would, too. */
export function checkIdempotencyKey(key: string): void {
  if (isUuidV4(key)) return;
  throw new RequestValidationError(
    'The option "idempotencyKey" is not a UUID v4. Leave it out, and the client makes one.',
    { problems: [{ field: 'Idempotency-Key', message: 'must be a UUID v4' }] },
  );
}

/**
 * Sends the key of a request that changes state; all attempts carry the same one.
 *
 * Interface document, "Idempotency rules".
 */
export function withIdempotencyKey(memory: KeyMemory): Step {
  return (next) => (call, headers) => {
    const { idempotencyKey: key, operation } = call;
    if (key === undefined) return next(call, headers);

    const problem = memory.use(key, fingerprintOf(call));
    if (problem !== undefined) {
      throw new RequestValidationError(`${operation.name} was not sent: the idempotency key ${key} ${problem}.`, {
        problems: [{ field: 'Idempotency-Key', message: problem }],
        idempotencyKey: key,
      });
    }
    return next(call, { ...headers, 'idempotency-key': key });
  };
}

/** Method, path and body as 64 bits: enough to notice a slip, and no copy of the body is kept. */
function fingerprintOf({ operation, path, body = '' }: Call): string {
  const text = `${operation.method} ${path}\n${body}`;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  return `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}.${text.length}`;
}
