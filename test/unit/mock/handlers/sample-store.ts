import { expect } from 'vitest';
import type { Cart, PriceCalculation } from '../../../../src/contract/index.js';
import { KIND } from '../../../../src/mock/behaviour/behaviour.js';
import { routes as calculateRoutes } from '../../../../src/mock/handlers/calculate.js';
import { routes as cartItemRoutes } from '../../../../src/mock/handlers/cart-items.js';
import { routes as cartRoutes } from '../../../../src/mock/handlers/carts.js';
import { routes as checkoutRoutes } from '../../../../src/mock/handlers/checkout.js';
import { routes as handoffRoutes } from '../../../../src/mock/handlers/handoff.js';
import { routes as inventoryRoutes } from '../../../../src/mock/handlers/inventory.js';
import { routes as locationRoutes } from '../../../../src/mock/handlers/locations.js';
import { routes as menuRoutes } from '../../../../src/mock/handlers/menus.js';
import { routes as promoCodeRoutes } from '../../../../src/mock/handlers/promo-codes.js';
import type { MockReply } from '../../../../src/mock/kernel/message.js';
import type { Route } from '../../../../src/mock/kernel/route.js';
import { Refusal } from '../../../../src/mock/refusals/refusal.js';
import { findMenuItem } from '../../../../src/mock/rules/menu-items.js';
import { createSamples } from '../../../../src/mock/samples/index.js';
import { DEFAULT_KEEP } from '../../../../src/mock/state/keep.js';
import type { LocationRecord, ServiceState } from '../../../../src/mock/state/state.js';

const ROUTES: readonly Route[] = [
  ...locationRoutes,
  ...inventoryRoutes,
  ...menuRoutes,
  ...cartRoutes,
  ...cartItemRoutes,
  ...calculateRoutes,
  ...handoffRoutes,
  ...promoCodeRoutes,
  ...checkoutRoutes,
];

/** Noon in Chicago, ten in the morning in Tacoma. */
const START_MS = Date.parse('2026-03-10T17:00:00Z');

export interface Answer {
  readonly status: number;
  /** The facts of the refusal when the request was refused. */
  readonly body: unknown;
}

export interface CallOptions {
  readonly partnerId?: string;
  readonly key?: string;
}

/** The sample stores behind the handlers, without the kernel: what is refused is an answer here as well. */
export function openSampleStore() {
  const samples = createSamples({ seed: 7, startMs: START_MS });
  const events: { partnerId: string; type: string; data: unknown }[] = [];
  let nowMs = START_MS;
  let lastId = 0;
  const partner = (id: string) => ({ id, locationIds: new Set(Object.values(samples.ids.locations)) });
  const state = {
    clock: { now: () => nowMs, setTimer: () => () => {} },
    nextId: () => `00000000-0000-4000-8000-${String(++lastId).padStart(12, '0')}`,
    partners: new Map([
      ['us', partner('us')],
      ['them', partner('them')],
      ['newcomer', { id: 'newcomer', locationIds: new Set([samples.ids.locations.harbor]) }],
    ]),
    locations: new Map(samples.locations.map((record) => [record.location.id, record])),
    promoCodes: new Map(samples.promoCodes.map((promo) => [promo.code, promo])),
    members: new Map(samples.members.map((member) => [member.customerId, member])),
    carts: new Map(),
    orders: new Map(),
    subscriptions: new Map(),
    rules: { enforceTenders: false, strict: false, autoAdvanceMs: undefined, readings: {} },
    behaviour: { current: KIND },
    keep: DEFAULT_KEEP,
    nextOrderNumber: () => 1,
    emit: (partnerId: string, type: string, data: unknown) => events.push({ partnerId, type, data }),
  } as unknown as ServiceState;

  const call = (endpoint: string, body?: unknown, { partnerId = 'us', key = 'key' }: CallOptions = {}): Answer => {
    const [method = '', target = ''] = endpoint.split(' ');
    const [path = '', query] = target.split('?');
    const { route, params } = match(method, path);
    const headers = { 'idempotency-key': key };
    try {
      const request = { method, path, params, query: new URLSearchParams(query), headers, body, partnerId };
      const { status, body: answer } = route.handler(request, state) as MockReply;
      return { status, body: answer === undefined ? {} : JSON.parse(JSON.stringify(answer)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.facts.status, body: error.facts };
    }
  };

  const ok = (endpoint: string, body?: unknown): unknown => {
    const answer = call(endpoint, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };

  return {
    ...samples.ids,
    state,
    events,
    call,
    advance: (hours: number) => {
      nowMs += hours * 3_600_000;
    },
    location: (name: keyof typeof samples.ids.locations): LocationRecord =>
      state.locations.get(samples.ids.locations[name])!,
    menuItem: (item: keyof typeof samples.ids.items, location: keyof typeof samples.ids.locations = 'downtown') =>
      findMenuItem(state.locations.get(samples.ids.locations[location])!.menu, samples.ids.items[item])!,
    /** A cart with one unit of each item. */
    cartWith(items: readonly (keyof typeof samples.ids.cartItems)[], more: object = {}): Cart {
      const location_id = samples.ids.locations.downtown;
      let cart = ok('POST /carts', { location_id, ...more }) as Cart;
      for (const item of items) cart = ok(`POST /carts/${cart.id}/items`, samples.ids.cartItems[item]) as Cart;
      return cart;
    },
    put: (cartId: string, handoff: object): Cart => ok(`PUT /carts/${cartId}/handoff`, handoff) as Cart,
    applyCode: (cartId: string, code: string): Cart => ok(`POST /carts/${cartId}/promo-codes`, { code }) as Cart,
    calculate: (cartId: string): PriceCalculation => ok(`POST /carts/${cartId}/calculate`) as PriceCalculation,
  };
}

function match(method: string, path: string): { route: Route; params: Record<string, string> } {
  const parts = path.split('/');
  for (const route of ROUTES) {
    const names = route.path.split('/');
    if (route.method !== method || names.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = names.every((name, index) => {
      if (!name.startsWith('{')) return name === parts[index];
      params[name.slice(1, -1)] = decodeURIComponent(parts[index]!);
      return true;
    });
    if (fits) return { route, params };
  }
  throw new Error(`No route for ${method} ${path}`);
}
