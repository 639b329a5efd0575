import { isObject } from '../refusals/read-fields.js';
import { missingField } from '../refusals/refusal.js';
import { groupsAs, itemsAs, modifiedAs, modifiersAs, nestedGroupsAs, priceAs } from './menus.js';
import type { Json, RouteName, Turn } from './turn.js';
import { listIn, rename, toCents } from './values.js';

const INVENTORY = 'GET /locations/{location_id}/inventory';
const LISTS: readonly RouteName[] = ['GET /locations', 'GET /orders', 'GET /webhooks', INVENTORY];
const LARGEST_PAGE = 100;
const LARGEST_INVENTORY_PAGE = 500;

const onRecords = (list: RouteName, single: RouteName, change: (record: Json) => void): Turn['reply'] => ({
  [list]: (body: Json) => {
    listIn(body, 'data').forEach(change);
    return undefined;
  },
  [single]: (body: Json) => change(body) as undefined,
});

const onLocations = (change: (location: Json) => void) =>
  onRecords('GET /locations', 'GET /locations/{location_id}', change);

export const TURNED_STORES = {
  'LOC-1': { location_id: { reply: onLocations((location) => rename(location, 'id', 'location_id')) } },
  'LOC-2': { by_day: { reply: onLocations(hoursByDay) } },
  'LOC-3': {
    cents: {
      reply: onLocations(({ minimum_order_amounts: amounts }) => {
        if (isObject(amounts)) for (const mode of Object.keys(amounts)) toCents(amounts as Json, mode);
      }),
    },
  },
  'LOC-5': {
    '409': {
      refusal: {
        'POST /carts': ({ status, field }) =>
          status === 422 && field === 'location_id' ? { status: 409, code: 'CONFLICT_ERROR' } : undefined,
      },
    },
  },
  'LOC-6': {
    clamped: {
      request: Object.fromEntries(
        LISTS.map((route) => [
          route,
          (request) => {
            const largest = route === INVENTORY ? LARGEST_INVENTORY_PAGE : LARGEST_PAGE;
            const limit = Number(request.query.get('limit') ?? largest);
            if (!(limit > largest)) return request;
            const query = new URLSearchParams(request.query);
            query.set('limit', String(largest));
            return { ...request, query };
          },
        ]),
      ) satisfies Turn['request'],
    },
  },
  'INV-1': {
    menu_item_id: {
      reply: {
        [INVENTORY]: (body) => {
          for (const item of listIn(body, 'data')) rename(item, 'item_id', 'menu_item_id');
          return undefined;
        },
      },
    },
  },
  'MENU-1': { updated_at: modifiedAs('updated_at') },
  'MENU-2': { menu_items: itemsAs('menu_items') },
  'MENU-3': { modifierGroups: groupsAs('modifierGroups'), groups: groupsAs('groups') },
  'MENU-4': { options: modifiersAs('options') },
  // Before the price: a modifier is known by it.
  'MENU-10': {
    nested_modifier_groups: nestedGroupsAs('nested_modifier_groups'),
    modifierGroups: nestedGroupsAs('modifierGroups'),
  },
  'MENU-5': { price_adjustment: priceAs('price_adjustment') },
  'HOOK-1': {
    events: {
      request: {
        'POST /webhooks': (request) => {
          const body: Json = isObject(request.body) ? { ...request.body } : {};
          if (body.events === undefined) throw missingField('events');
          rename(body, 'events', 'event_types');
          return { ...request, body };
        },
      },
    },
  },
  'HOOK-2': {
    webhook_id: {
      reply: onRecords('GET /webhooks', 'POST /webhooks', (subscription) => rename(subscription, 'id', 'webhook_id')),
    },
  },
  'HOOK-3': {
    '200': {
      reply: {
        'DELETE /webhooks/{webhook_id}': (_, { request }) => ({ status: 200, body: { id: request.params.webhook_id } }),
      },
    },
  },
  'HOOK-4': {
    '400': {
      refusal: {
        'POST /webhooks': ({ status, field }) => (status === 422 && field === 'url' ? { status: 400 } : undefined),
      },
    },
  },
  'HOOK-5': {
    '422': {
      refusal: {
        'POST /webhooks': ({ status, field }) =>
          status === 400 && field?.startsWith('event_types[') ? { status: 422 } : undefined,
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Turn>>>>;

/** `{ MONDAY: [{ open_time, close_time }], … }`; a closed day has none. */
function hoursByDay(location: Json): void {
  const days: Record<string, Json[]> = {};
  for (const { day_of_week, is_closed, ...times } of listIn(location, 'business_hours')) {
    const day = String(day_of_week);
    days[day] = [...(days[day] ?? []), ...(is_closed ? [] : [times])];
  }
  if (location.business_hours !== undefined) location.business_hours = days;
}
