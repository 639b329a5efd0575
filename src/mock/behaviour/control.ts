import type { Random } from '../../platform/random.js';
import { seededRandom } from '../seed/seed.js';
import { type Behaviour, type BehaviourChange, KIND } from './behaviour.js';
import { changed } from './switches.js';

/** Makes the service unkind, and kind again, while it runs. */
export interface BehaviourControl {
  /** The switches as they stand. */
  readonly current: Behaviour;
  /**
   * Changes some switches from now on. What is being executed already goes on as it began.
   *
   * @throws TypeError that names the switch, and says what to write.
   */
  set(change: BehaviourChange): void;
  /** Sets every switch to its kind default. */
  setKind(): void;
}

type SpanName = 'readLagMs' | 'paymentListLagMs' | 'paymentSumLagMs' | 'authorizationMs' | 'gatewayTimeoutMs';

/** The switches, and the values that are drawn from their ranges: the same seed and requests give the same values. */
export class BehaviourSwitches implements BehaviourControl {
  readonly #seed: number;
  readonly #first: Behaviour;
  #current: Behaviour;
  #streams = new Map<SpanName, Random>();

  constructor(seed: number, change: BehaviourChange = {}) {
    this.#seed = seed;
    this.#first = changed(KIND, change);
    this.#current = this.#first;
  }

  get current(): Behaviour {
    return this.#current;
  }

  set(change: BehaviourChange): void {
    this.#current = changed(this.#current, change);
  }

  setKind(): void {
    this.#current = KIND;
  }

  /** Back to what the service was made with. */
  reset(): void {
    this.#current = this.#first;
    this.#streams.clear();
  }

  /** Milliseconds of this use of a switch. A stream for each, so that one range does not change the draws of another. */
  draw(name: SpanName): number {
    const span = this.#current[name];
    if (typeof span === 'number') return span;
    const random = this.#streams.get(name) ?? seededRandom(this.#seed, `behaviour ${name}`);
    this.#streams.set(name, random);
    const [from, to] = span;
    return from + Math.floor(random() * (to - from + 1));
  }
}
