import { isObject, REQUEST_ID_HEADERS } from '../../wire/wire.js';
import { CannotTry } from '../result.js';
import type { Scene } from '../scene.js';
import { byStatus, type Deciders, moneyOrCents, nameIn, neither, takenOrRefused } from './decider.js';

type Json = Readonly<Record<string, unknown>>;

const LOCATIONS = 'GET /locations';

const rawLocations = (scene: Scene): Promise<readonly Json[]> =>
  scene.keep('raw locations', async () => {
    const { data } = await scene.call(LOCATIONS, { query: { limit: 100 } });
    const list = isObject(data) && Array.isArray(data.data) ? data.data.filter(isObject) : [];
    if (list.length === 0) throw new CannotTry('no location is in scope');
    return list;
  });

const rawMenu = (scene: Scene): Promise<Json> =>
  scene.keep('raw menu', async () => {
    const { id } = await scene.location();
    const { data } = await scene.call('GET /locations/{location_id}/menu', { params: { location_id: id } });
    if (isObject(data)) return data;
    throw new CannotTry('the menu could not be read');
  });

const listsUnder = (objects: readonly Json[], names: readonly string[]): Json[] =>
  objects.flatMap((object) =>
    names.flatMap((name) => (Array.isArray(object[name]) ? object[name].filter(isObject) : [])),
  );

const GROUP_NAMES = ['modifier_groups', 'modifierGroups', 'groups'] as const;
const NESTED_NAMES = ['modifier_groups', 'nested_modifier_groups', 'modifierGroups'] as const;
const MODIFIER_NAMES = ['modifiers', 'options'] as const;

async function itemsOf(scene: Scene): Promise<Json[]> {
  const categories = listsUnder([await rawMenu(scene)], ['categories']);
  return listsUnder(categories, ['items', 'menu_items']);
}

async function groupsOf(scene: Scene): Promise<Json[]> {
  return listsUnder(await itemsOf(scene), GROUP_NAMES);
}

async function modifiersOf(scene: Scene): Promise<Json[]> {
  return listsUnder(await groupsOf(scene), MODIFIER_NAMES);
}

/** The first record that has one of the names says which it is. */
function firstName<const T extends string>(records: readonly Json[], names: readonly T[], where: string): T {
  const found = records.find((record) => names.some((name) => name in record));
  if (!found) throw new CannotTry(`no ${where} on the menu has ${names.join(' or ')}`);
  return nameIn(found, names, where);
}

export const STORE_DECIDERS = {
  'ERR-2': {
    about: 'header of the request id of a success',
    readings: { 'x-request-id': 'x-request-id', 'request-id': 'request-id', 'x-correlation-id': 'x-correlation-id' },
    async decide(scene) {
      const { headers } = await scene.call(LOCATIONS, { query: { limit: 1 } });
      const name = REQUEST_ID_HEADERS.find((header) => headers[header] !== undefined);
      if (name) return name;
      throw new CannotTry('a success carries no header with a request id that is known here; see `requestIdHeader`');
    },
  },
  'PAY-18': {
    about: 'Date header',
    readings: { sent: 'responses have one', absent: 'responses have none' },
    decide: async (scene) => ((await scene.call(LOCATIONS, { query: { limit: 1 } })).headers.date ? 'sent' : 'absent'),
  },
  'LOC-1': {
    about: 'id of a location',
    readings: { id: 'called `id`', location_id: 'called `location_id`' },
    decide: async (scene) => nameIn((await rawLocations(scene))[0], ['id', 'location_id'], 'location'),
  },
  'LOC-2': {
    about: 'business hours',
    readings: { list: 'a list of days', by_day: 'an object by day' },
    async decide(scene) {
      const hours = (await rawLocations(scene)).find((location) => location.business_hours)?.business_hours;
      if (hours === undefined) throw new CannotTry('no location shows business_hours');
      return Array.isArray(hours) ? 'list' : 'by_day';
    },
  },
  'LOC-3': {
    about: 'minimum order amounts',
    readings: { money: 'Money by mode', cents: 'integer cents by mode' },
    async decide(scene) {
      const amounts = (await rawLocations(scene)).flatMap(({ minimum_order_amounts: by }) =>
        isObject(by) ? Object.values(by).filter((amount) => amount !== null) : [],
      );
      if (amounts.length === 0) throw new CannotTry('no location has a minimum order amount');
      return moneyOrCents(amounts[0], 'a minimum order amount');
    },
  },
  'LOC-6': {
    about: 'limit above the maximum',
    readings: { '400': 'refused with 400', clamped: 'taken for the maximum' },
    async decide(scene) {
      const response = await scene.call(LOCATIONS, { query: { limit: 101 } });
      return byStatus(response, { 400: '400', 200: 'clamped' } as const);
    },
  },
  'INV-1': {
    about: 'id of an inventory item',
    readings: { item_id: 'called `item_id`', menu_item_id: 'called `menu_item_id`' },
    async decide(scene) {
      const { id } = await scene.location();
      const { data } = await scene.call('GET /locations/{location_id}/inventory', { params: { location_id: id } });
      const items = listsUnder(isObject(data) ? [data] : [], ['data']);
      return firstName(items, ['item_id', 'menu_item_id'], 'inventory item');
    },
  },
  'MENU-1': {
    about: "time of a menu's last change",
    readings: { last_modified: 'called `last_modified`', updated_at: 'called `updated_at`' },
    async decide(scene) {
      const { id } = await scene.location();
      const response = await scene.call('GET /locations/{location_id}/menu/metadata', { params: { location_id: id } });
      return nameIn(response.data, ['last_modified', 'updated_at'], 'metadata of the menu');
    },
  },
  'MENU-2': {
    about: 'items of a category',
    readings: { items: 'called `items`', menu_items: 'called `menu_items`' },
    decide: async (scene) =>
      firstName(listsUnder([await rawMenu(scene)], ['categories']), ['items', 'menu_items'], 'category'),
  },
  'MENU-3': {
    about: 'modifier groups of an item',
    readings: {
      modifier_groups: 'called `modifier_groups`',
      modifierGroups: 'called `modifierGroups`',
      groups: 'called `groups`',
    },
    decide: async (scene) => firstName(await itemsOf(scene), GROUP_NAMES, 'item'),
  },
  'MENU-4': {
    about: 'modifiers of a group',
    readings: { modifiers: 'called `modifiers`', options: 'called `options`' },
    decide: async (scene) => firstName(await groupsOf(scene), MODIFIER_NAMES, 'group'),
  },
  'MENU-5': {
    about: 'price of a modifier',
    readings: { price: 'called `price`', price_adjustment: 'called `price_adjustment`' },
    decide: async (scene) => firstName(await modifiersOf(scene), ['price', 'price_adjustment'], 'modifier'),
  },
  'MENU-10': {
    about: 'nested groups of a modifier',
    readings: {
      modifier_groups: 'called `modifier_groups`',
      nested_modifier_groups: 'called `nested_modifier_groups`',
      modifierGroups: 'called `modifierGroups`',
    },
    decide: async (scene) => firstName(await modifiersOf(scene), NESTED_NAMES, 'modifier'),
  },
  'ERR-4': {
    about: 'method that a path does not have',
    readings: { '404': '404', '405': '405' },
    decide: async (scene) => byStatus(await scene.call('DELETE /locations'), { 404: '404', 405: '405' } as const),
  },
  'LOC-5': {
    about: 'cart at a location without online ordering',
    readings: { '422': '422', '409': '409' },
    async decide(scene) {
      const closed = (await scene.locations()).find((location) => !location.online_ordering_enabled);
      if (!closed) throw new CannotTry('every location in scope takes online orders');
      const response = await scene.call('POST /carts', { body: { location_id: closed.id } });
      return byStatus(response, { 422: '422', 409: '409' } as const);
    },
  },
  'HOOK-1': {
    about: 'event types of a subscription request',
    readings: { event_types: 'called `event_types`', events: 'called `events`' },
    async decide(scene) {
      for (const name of ['event_types', 'events'] as const) {
        const body = { url: subscriptionUrl(scene), [name]: ['order.created'] };
        const response = await scene.call('POST /webhooks', { body }, { verbatim: true });
        if (response.status !== 201 && response.status !== 200) continue;
        const made = response.data as { id?: unknown; webhook_id?: unknown };
        scene.note('webhooks', String(made.id ?? made.webhook_id));
        await scene.keep('subscription', async () => made);
        return name;
      }
      throw new CannotTry('no subscription was taken, under either name');
    },
  },
  'HOOK-2': {
    about: 'id of a subscription',
    readings: { id: 'called `id`', webhook_id: 'called `webhook_id`' },
    async decide(scene) {
      const made = await scene.keep<unknown>('subscription', () =>
        Promise.reject(new CannotTry('no subscription was taken')),
      );
      return nameIn(made, ['id', 'webhook_id'], 'subscription');
    },
  },
  'HOOK-4': {
    about: 'subscription of an address without https',
    readings: { '422': '422', '400': '400' },
    async decide(scene) {
      const body = { url: 'http://hooks.example.com/certify', event_types: ['order.created'] };
      return byStatus(await scene.call('POST /webhooks', { body }), { 422: '422', 400: '400' } as const);
    },
  },
  'HOOK-5': {
    about: 'unknown event type of a subscription',
    readings: { '400': '400', '422': '422' },
    async decide(scene) {
      const body = { url: subscriptionUrl(scene), event_types: ['no.such_event'] };
      return byStatus(await scene.call('POST /webhooks', { body }), { 400: '400', 422: '422' } as const);
    },
  },
  'HOOK-3': {
    about: 'response to the deletion of a subscription',
    readings: { '204': '204 without a body', '200': '200' },
    async decide(scene) {
      const body = { url: subscriptionUrl(scene), event_types: ['order.cancelled'] };
      const { id } = await scene.must<{ id: string }>('POST /webhooks', { body });
      const response = await scene.call('DELETE /webhooks/{webhook_id}', { params: { webhook_id: id } });
      return byStatus(response, { 204: '204', 200: '200' } as const);
    },
  },
  'LIM-2': {
    about: 'an older token after a new one was issued',
    readings: { valid: 'stays valid until it expires', revoked: 'is refused' },
    async decide(scene) {
      const older = scene.wire.token ?? null;
      const granted = await scene.wire.askForToken();
      const token = isObject(granted.data) ? granted.data.access_token : undefined;
      if (typeof token !== 'string') throw new CannotTry('a second token was not granted');
      scene.wire.useToken(token);
      if (token === older) throw new CannotTry('the same token was granted again');
      const response = await scene.call(LOCATIONS, { query: { limit: 1 }, token: older });
      return byStatus(response, { 200: 'valid', 401: 'revoked' } as const);
    },
  },
  'ERR-6': {
    about: 'write without Idempotency-Key',
    readings: { '400': 'refused with 400', accepted: 'taken' },
    async decide(scene) {
      const { id } = await scene.location();
      const response = await scene.call<{ id?: string }>('POST /carts', { body: { location_id: id }, key: null });
      if (response.ours?.id) scene.note('carts', response.ours.id);
      if (response.status === 422) throw neither(response);
      return takenOrRefused(response, 'accepted', '400');
    },
  },
} as const satisfies Deciders;

/** One that no other subscription has: the same address and event type twice is refused. */
export function subscriptionUrl(scene: Scene): string {
  const base = scene.settings.webhookUrl ?? 'https://hooks.example.com/online-ordering-certify';
  return `${base.replace(/\/$/, '')}/${Math.random().toString(36).slice(2, 10)}`;
}
