import type { GapRow, Reading } from '../../profile/gaps.js';
import { type Choices, type Profile, readProfile } from '../../profile/profile.js';
import type { BehaviourChange } from '../behaviour/behaviour.js';
import type { Edge } from '../kernel/edge.js';
import type { MockReply, MockRequest } from '../kernel/message.js';
import type { Route } from '../kernel/route.js';
import { Refusal } from '../refusals/refusal.js';
import type { ServiceState } from '../state/state.js';
import { type DeliveryDialect, deliveryDialect } from '../webhooks/delivery-dialect.js';
import { TURNED_CARTS } from './carts.js';
import { TURNED_GENERAL } from './general.js';
import { TURNED_ORDERS } from './orders.js';
import { TURNED_PAYMENTS } from './payments.js';
import { TURNED_MODIFIERS, TURNED_PRICES } from './prices.js';
import { TURNED_STORES } from './stores.js';
import type { Json, RouteName, Scene, Turn } from './turn.js';

/** Rows that are turned at deliveries, and not here. */
type DeliveryRow = 'SIG-1' | 'EVT-1';

/** Every reading but the first of each row: a missing one does not compile. */
const TURNS: {
  readonly [Row in Exclude<GapRow, DeliveryRow>]: { readonly [One in OtherReading<Row>]: Turn };
} = {
  ...TURNED_PAYMENTS,
  ...TURNED_ORDERS,
  ...TURNED_PRICES,
  ...TURNED_MODIFIERS,
  ...TURNED_CARTS,
  ...TURNED_STORES,
  ...TURNED_GENERAL,
};

type OtherReading<Row extends GapRow> = Exclude<Reading<Row>, Ours[Row]>;
type Ours = { readonly [Row in GapRow]: typeof import('../../profile/gaps.js').GAPS[Row][0] };

/**
 * Lets the service speak as a profile says: requests, replies and refusals are turned at the edge of the kernel, between it
 * and the handlers.
 */
export class Dialect implements Edge {
  readonly choices: Choices;
  readonly behaviour: BehaviourChange;
  readonly strict: boolean;
  readonly requestIdHeader: string;
  readonly keyPerPath: boolean;
  readonly methodNotAllowed: boolean;
  readonly deliveries: DeliveryDialect;
  readonly #turns: readonly Turn[];

  constructor(choices: Choices = {}) {
    this.choices = choices;
    const table: Readonly<Record<string, Readonly<Record<string, Turn>>>> = TURNS;
    this.#turns = Object.entries(table).flatMap(([row, readings]) => readings[choices[row as GapRow] ?? ''] ?? []);
    this.behaviour = Object.assign({}, ...this.#turns.map(({ behaviour }) => behaviour)) as BehaviourChange;
    this.strict = this.#turns.some(({ strict }) => strict);
    this.requestIdHeader = this.#turns.find((turn) => turn.requestIdHeader)?.requestIdHeader ?? 'x-request-id';
    this.keyPerPath = this.#turns.some((turn) => turn.keyPerPath);
    this.methodNotAllowed = this.#turns.some((turn) => turn.methodNotAllowed);
    this.deliveries = deliveryDialect(choices);
  }

  keyRule(route: Route): Route['idempotency'] {
    const isFree = this.#turns.some(({ withoutKey }) => withoutKey?.(nameOf(route)));
    return isFree && route.idempotency === 'required' ? 'optional' : route.idempotency;
  }

  /** Leads a request through its handler. */
  async respond(route: Route, asked: MockRequest, state: ServiceState, handler: Route['handler']): Promise<MockReply> {
    const name = nameOf(route);
    if (this.#turns.length === 0) return handler(asked, state);
    const request = this.#turns.reduce((one, turn) => turn.request?.[name]?.(one, state) ?? one, asked);
    const scene: Scene = { request, state };
    const reply = await this.#handled(name, scene, handler);
    return this.#turns.reduce<MockReply>((one, turn) => {
      const change = turn.reply?.[name];
      return change ? (change((one.body ?? {}) as Json, scene) ?? one) : one;
    }, copyOf(reply));
  }

  /** The body of an error. */
  envelope(body: unknown): unknown {
    for (const { envelope } of this.#turns) envelope?.(body as Json);
    return body;
  }

  async #handled(name: RouteName, scene: Scene, handler: Route['handler']): Promise<MockReply> {
    try {
      return await handler(scene.request, scene.state);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const turn of this.#turns) {
        const instead = turn.refusal?.[name]?.(error.facts, scene);
        if (!instead) continue;
        if (isReply(instead)) return instead;
        throw new Refusal({ ...error.facts, ...instead });
      }
      throw error;
    }
  }
}

/** @throws TypeError that says what is wrong with the profile. */
export function dialectOf(profile: Profile | undefined): Dialect {
  if (profile === undefined) return new Dialect();
  const read = readProfile(profile);
  if ('problem' in read) throw new TypeError(`createMockService: profile cannot be used: ${read.problem}.`);
  return new Dialect(read.choices);
}

const nameOf = ({ method, path }: Route): RouteName => `${method} ${path}` as RouteName;

const isReply = (value: object): value is MockReply =>
  'status' in value && typeof value.status === 'number' && value.status < 400;

/** What a handler gives is its own; turns change a copy. */
const copyOf = (reply: MockReply): MockReply =>
  reply.body === undefined ? reply : { ...reply, body: structuredClone(reply.body) };
