import { RequestValidationError } from '../../errors/local.js';
import type { Clock } from '../../platform/clock.js';
import { isUuidV4 } from '../../platform/uuid.js';
import type { Call, Headers } from '../exchange/call.js';
import type { Step } from '../exchange/message.js';
import { replayableUntil } from '../response/replay-window.js';

const REMEMBERED_KEYS = 10_000;

/**
 * Which request each key of this process belongs to, so that a key used for two is refused before it is sent.
 *
 * Numbers in lists rather than an object for each key: what thousands of writes leave in memory is copied by the garbage
 * collector, and that was a tenth of a write.
 */
export class KeyMemory {
  readonly #clock: Clock;
  /** The place of each key in the lists, which are filled round and round: the oldest is forgotten first. */
  readonly #places = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #fingerprints: number[] = [];
  readonly #firstUsedAt: number[] = [];
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes the use of a key; says what is wrong with it, if anything. */
  use(key: string, fingerprint: number): string | undefined {
    const now = this.#clock.now();
    const place = this.#places.get(key);
    if (place === undefined) {
      this.#remember(key, fingerprint, now);
      return undefined;
    }
    if (this.#fingerprints[place] !== fingerprint) {
      return 'was used for another request already; a key belongs to one operation. Leave "idempotencyKey" out to get a fresh one';
    }
    if (now >= replayableUntil(this.#firstUsedAt[place]!)) {
      return 'was first used more than 23 h 45 min ago, and the service, which forgets keys after 24 h, might execute the request again. Read the resource to see what became of it, then use a fresh key';
    }
    return undefined;
  }

  #remember(key: string, fingerprint: number, now: number): void {
    const place = this.#next;
    const forgotten = this.#keys[place];
    if (forgotten !== undefined) this.#places.delete(forgotten);
    this.#places.set(key, place);
    this.#keys[place] = key;
    this.#fingerprints[place] = fingerprint;
    this.#firstUsedAt[place] = now;
    this.#next = (place + 1) % REMEMBERED_KEYS;
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

/** Refuses a key that belongs to another request. */
export function withKeyMemory(memory: KeyMemory): Step {
  return (next) => (call, headers) => {
    const { idempotencyKey: key, operation } = call;
    const problem = key === undefined ? undefined : memory.use(key, fingerprintOf(call));
    if (problem === undefined) return next(call, headers);
    throw new RequestValidationError(`${operation.name} was not sent: the idempotency key ${key} ${problem}.`, {
      problems: [{ field: 'Idempotency-Key', message: problem }],
      idempotencyKey: key,
    });
  };
}

/**
 * Sends the key of a request that changes state; all attempts carry the same one. Below the step of the token, so that
 * writes, too, share headers up to here.
 *
 * Interface document, "Idempotency rules".
 */
export const withIdempotencyKey: Step = (next) => (call, headers) => {
  const { idempotencyKey: key } = call;
  return next(call, key === undefined ? headers : withKey(headers, key));
};

/** Headers with room for a key, by those without it: writes share theirs up to here. */
const withRoom = new WeakMap<Headers, Headers>();

/** A field that is added to a copy of an object costs 0.7 µs, one that is set in it 0.03. */
function withKey(headers: Headers, key: string): Headers {
  let room = withRoom.get(headers);
  if (!room) {
    room = { ...headers, 'idempotency-key': '' };
    withRoom.set(headers, room);
  }
  const made: Record<string, string> = { ...room };
  made['idempotency-key'] = key;
  return made;
}

/** Method, path and body as a number of 53 bits: enough to notice a slip, and no copy of the body is kept. */
function fingerprintOf({ operation, path, body = '' }: Call): number {
  const text = `${operation.method} ${path}\n${body}`;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
