import type { InventoryItem, Location, Menu, MenuMetadata, WebhookSubscription } from '../../contract/index.js';
import { indexMenu } from '../../menus/model/menu-index.js';
import { subscriptionUrl } from '../gaps/stores.js';
import { CannotTry } from '../result.js';
import { insist, nowhere, type Scene } from '../scene.js';
import { answeredWith, asInContract, type Check, equal, refusedWith, section } from './check.js';

interface Page<T> {
  readonly data: T[];
  readonly pagination: { has_more: boolean; next_cursor: string | null };
}

const params = async (scene: Scene) => ({ location_id: (await scene.location()).id });

export const STORE_CHECKS: readonly Check[] = [
  ...section('Authentication', {
    'A token request without a field is refused with 400': async ({ wire }) =>
      refusedWith(await wire.askForToken({ client_secret: undefined }), 400),
    'Another grant_type is refused with 400': async ({ wire }) =>
      refusedWith(await wire.askForToken({ grant_type: 'PASSWORD' }), 400),
    'A wrong secret is refused with 401': async ({ wire }) =>
      refusedWith(await wire.askForToken({ client_secret: 'certify-wrong-secret' }), 401),
    'A request without authorization is refused with 401': async (scene) =>
      refusedWith(await scene.call('GET /locations', { token: null }), 401),
    'A token that was never issued is refused with 401': async (scene) =>
      refusedWith(await scene.call('GET /locations', { token: 'certify.not-a-token' }), 401),
  }),
  ...section('Errors', {
    'An id that is no UUID is refused with 400': async (scene) =>
      refusedWith(await scene.call('GET /carts/{cart_id}', { params: { cart_id: 'no-uuid' } }), 400),
    'An unknown cart is 404': async (scene) =>
      refusedWith(await scene.call('GET /carts/{cart_id}', { params: { cart_id: nowhere() } }), 404),
    'An unknown order is 404': async (scene) =>
      refusedWith(await scene.call('GET /orders/{order_id}', { params: { order_id: nowhere() } }), 404),
    'An unknown location is 404, or 403 as out of scope': async (scene) =>
      refusedWith(await scene.call('GET /locations/{location_id}', { params: { location_id: nowhere() } }), 404, 403),
    'A missing required field is refused with 400': async (scene) =>
      refusedWith(await scene.call('POST /carts', { body: {} }), 400),
  }),
  ...section('Locations', {
    'The list is a page of locations as in the contract': async (scene) => {
      const reply = await scene.call<Page<Location>>('GET /locations');
      answeredWith(reply, 200);
      await asInContract('GET /locations', reply);
    },
    'One location is the same as in the list': async (scene) => {
      const listed = await scene.location();
      const reply = await scene.call<Location>('GET /locations/{location_id}', { params: await params(scene) });
      answeredWith(reply, 200);
      await asInContract('GET /locations/{location_id}', reply);
      equal(reply.ours.name, listed.name, 'the name');
    },
    'limit bounds a page, and its cursor leads to others': async (scene) => {
      const first = await scene.must<Page<Location>>('GET /locations', { query: { limit: 1 } });
      equal(first.data.length, 1, 'the length of a page of 1');
      const { has_more, next_cursor } = first.pagination;
      insist(has_more === (next_cursor !== null), 'has_more and next_cursor do not agree');
      if (next_cursor === null) throw new CannotTry('only one location is in scope');
      const second = await scene.must<Page<Location>>('GET /locations', { query: { limit: 1, cursor: next_cursor } });
      insist(second.data[0]?.id !== first.data[0]?.id, 'the second page repeats the first');
    },
    'The inventory is a page of items as in the contract': async (scene) => {
      const endpoint = 'GET /locations/{location_id}/inventory';
      const reply = await scene.call<Page<InventoryItem>>(endpoint, { params: await params(scene) });
      answeredWith(reply, 200);
      await asInContract(endpoint, reply);
    },
  }),
  ...section('Menus', {
    'The menu is as in the contract': async (scene) => {
      const endpoint = 'GET /locations/{location_id}/menu';
      const reply = await scene.call<Menu>(endpoint, { params: await params(scene) });
      answeredWith(reply, 200);
      await asInContract(endpoint, reply);
    },
    'The metadata have the version_hash of the menu': async (scene) => {
      const endpoint = 'GET /locations/{location_id}/menu/metadata';
      const reply = await scene.call<MenuMetadata>(endpoint, { params: await params(scene) });
      answeredWith(reply, 200);
      await asInContract(endpoint, reply);
      equal(reply.ours.version_hash, (await scene.menu()).version_hash, 'the version_hash');
    },
    'Modifier groups nest 3 levels at most': async (scene) => {
      const endpoint = 'GET /locations/{location_id}/menu';
      const deep = indexMenu(await scene.must<Menu>(endpoint, { params: await params(scene) })).items.flatMap(
        ({ groups }) => groups,
      );
      const levels = (groups: typeof deep): number =>
        groups.length === 0
          ? 0
          : 1 + Math.max(...groups.map((group) => levels(group.modifiers.flatMap((one) => [...one.groups]))));
      insist(levels(deep) <= 3, 'a group nests deeper');
    },
  }),
  ...section('Webhook subscriptions', {
    'A new subscription has a signing_secret, which no list shows': async (scene) => {
      const body = { url: subscriptionUrl(scene), event_types: ['menu.changed'] };
      const reply = await scene.call<WebhookSubscription & { signing_secret?: string }>('POST /webhooks', { body });
      answeredWith(reply, 201);
      scene.note('webhooks', reply.ours.id);
      await asInContract('POST /webhooks', reply);
      const list = await scene.call<Page<object>>('GET /webhooks', { query: { limit: 100 } });
      answeredWith(list, 200);
      await asInContract('GET /webhooks', list);
      insist(
        list.ours.data.every((one) => !('signing_secret' in one)),
        'a list shows a signing_secret',
      );
    },
    'The same address and event type twice is refused with 409': async (scene) => {
      const body = { url: subscriptionUrl(scene), event_types: ['stock.updated'] };
      const { id } = await scene.must<WebhookSubscription>('POST /webhooks', { body });
      scene.note('webhooks', id);
      refusedWith(await scene.call('POST /webhooks', { body }), 409);
    },
  }),
];
