import { RequestValidationError } from '../../errors/local.js';
import type { Clock } from '../../platform/clock.js';
import { isUuidV4, newUuid } from '../../platform/uuid.js';
import { type HttpRequest, type Step, withHeader } from '../exchange/message.js';
import { needsKey } from '../exchange/operation.js';
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
 * Gives every request that changes state its key; all attempts of the operation then carry it.
 *
 * Interface document, "Idempotency rules".
 */
export function withIdempotencyKey(memory: KeyMemory): Step {
  return (next) => (request) => {
    const { call } = request;
    if (!needsKey(call.operation)) return next(request);

    // A key given by the caller was checked with the other options, and stands in the call already.
    call.idempotencyKey ??= newUuid();
    const problem = memory.use(call.idempotencyKey, fingerprintOf(request));
    if (problem !== undefined) {
      throw new RequestValidationError(
        `${call.operation.name} was not sent: the idempotency key ${call.idempotencyKey} ${problem}.`,
        { problems: [{ field: 'Idempotency-Key', message: problem }], idempotencyKey: call.idempotencyKey },
      );
    }
    return next(withHeader(request, 'idempotency-key', call.idempotencyKey));
  };
}

/** Method, path and body as 64 bits: enough to notice a slip, and no copy of the body is kept. */
function fingerprintOf({ method, path, body = '' }: HttpRequest): string {
  const text = `${method} ${path}\n${body}`;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  return `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}.${text.length}`;
}
