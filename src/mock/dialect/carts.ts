import type { MockRequest } from '../kernel/message.js';
import { isObject } from '../refusals/read-fields.js';
import { invalidBody, missingField, unprocessable } from '../refusals/refusal.js';
import { CANCEL, ORDER, PAYMENTS } from './payments.js';
import type { Json, RouteName, Turn } from './turn.js';
import { listIn, rename, toCents, withFields } from './values.js';

const CARTS = 'POST /carts';
const CART = 'GET /carts/{cart_id}';
const ADD = 'POST /carts/{cart_id}/items';
const REPLACE = 'PUT /carts/{cart_id}/items/{item_id}';
const HANDOFF = 'PUT /carts/{cart_id}/handoff';
const CHECKOUT = 'POST /carts/{cart_id}/checkout';
const APPLY = 'POST /carts/{cart_id}/promo-codes';
const PROMOS = 'GET /carts/{cart_id}/promo-codes';
const VALIDATE = 'GET /carts/{cart_id}/promo-codes/validate';
const REMOVE_PROMO = 'DELETE /carts/{cart_id}/promo-codes/{code}';
const WITH_FEES: readonly RouteName[] = [
  CARTS,
  CART,
  'PATCH /carts/{cart_id}',
  'DELETE /carts/{cart_id}',
  ADD,
  REPLACE,
  'DELETE /carts/{cart_id}/items/{item_id}',
  HANDOFF,
  'POST /carts/{cart_id}/calculate',
  APPLY,
  REMOVE_PROMO,
  ORDER,
  CANCEL,
  PAYMENTS,
];

/** The handoff of a request, in its body or in that of a checkout, changed. */
const onHandoff = (change: (handoff: Json) => Json): Turn['request'] => ({
  [HANDOFF]: (request) => (isObject(request.body) ? { ...request, body: change(request.body) } : request),
  [CHECKOUT]: (request) => {
    const handoff = isObject(request.body) ? request.body.handoff_mode : undefined;
    if (!isObject(handoff)) return request;
    return withFields(request, { handoff_mode: change(handoff) });
  },
});

const unknownMode: NonNullable<Turn['refusal']>[RouteName] = ({ message }) =>
  message === 'Unknown handoff mode' ? { status: 400 } : undefined;

const onBoth = <T>(first: RouteName, second: RouteName, value: T): { readonly [Route in RouteName]?: T } => ({
  [first]: value,
  [second]: value,
});

export const TURNED_CARTS = {
  'CART-1': {
    '200': {
      reply: {
        'DELETE /carts/{cart_id}': (_, { request, state }) => ({
          status: 200,
          body: state.carts.get((request.params.cart_id ?? '').toLowerCase())?.cart,
        }),
      },
    },
  },
  'CART-2': {
    '200': {
      refusal: {
        [CART]: ({ status }, { request, state }) => {
          const record = state.carts.get((request.params.cart_id ?? '').toLowerCase());
          return status === 404 && record ? { status: 200, body: record.cart } : undefined;
        },
      },
    },
  },
  'CART-7': {
    accepted: {
      request: onHandoff((handoff) => {
        const address = handoff.delivery_address;
        if (!isObject(address)) return handoff;
        return { ...handoff, delivery_address: { ...address, ...twoLetters(address) } };
      }),
    },
  },
  'CART-8': {
    refused: {
      request: {
        [HANDOFF]: (request, state) => inTheFuture(request, request.body, state.clock.now(), ''),
        [CHECKOUT]: (request, state) =>
          inTheFuture(
            request,
            isObject(request.body) ? request.body.handoff_mode : undefined,
            state.clock.now(),
            'handoff_mode.',
          ),
      },
    },
  },
  'CART-13': { '400': { refusal: onBoth(HANDOFF, CHECKOUT, unknownMode) } },
  'CART-15': {
    '422': {
      refusal: onBoth<NonNullable<Turn['refusal']>[RouteName]>(ADD, REPLACE, ({ message }) =>
        message === 'Menu item not found'
          ? { status: 422, code: 'INVALID_REQUEST_ERROR', field: 'menu_item_id' }
          : undefined,
      ),
    },
  },
  'CART-18': { refused: { behaviour: { belowMinimum: 'refuse' } } },
  'FEE-1': {
    cents: {
      reply: Object.fromEntries(
        WITH_FEES.map((route) => [
          route,
          (body: Json) => {
            for (const fee of listIn(body, 'fees')) toCents(fee, 'amount');
            return undefined;
          },
        ]),
      ),
    },
  },
  'BODY-1': {
    utf16: {
      request: onBoth(ADD, REPLACE, (request: MockRequest) => {
        const text = isObject(request.body) ? request.body.special_instructions : undefined;
        if (typeof text !== 'string' || text.length <= 200) return request;
        throw invalidBody('special_instructions', 'special_instructions takes at most 200 characters.');
      }),
    },
  },
  'BODY-2': {
    accepted: {
      request: onBoth(CARTS, 'PATCH /carts/{cart_id}', (request: MockRequest) =>
        isObject(request.body) && request.body.customer_id === ''
          ? withFields(request, { customer_id: null })
          : request,
      ),
    },
  },
  'BODY-3': {
    accepted: {
      request: onHandoff((handoff) => {
        const time = handoff.pickup_time;
        const isLocal = typeof time === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(time);
        return isLocal ? { ...handoff, pickup_time: `${time}Z` } : handoff;
      }),
    },
  },
  'BODY-4': {
    partial: {
      reply: {
        [CARTS]: (body) => {
          for (const name of ['customer_id', 'promo_codes', 'fees', 'total_fees']) delete body[name];
          return undefined;
        },
      },
    },
  },
  'PROMO-1': {
    promo_code: {
      request: {
        [APPLY]: (request) => {
          const body: Json = isObject(request.body) ? { ...request.body } : {};
          if (body.promo_code === undefined) throw missingField('promo_code');
          rename(body, 'promo_code', 'code');
          return { ...request, body };
        },
      },
    },
  },
  'PROMO-3': { list: { reply: { [PROMOS]: (body) => ({ status: 200, body: body.data }) } } },
  'PROMO-4': {
    '422': {
      reply: {
        [VALIDATE]: (body) => {
          if (body.valid === true) return undefined;
          throw unprocessable(String(body.rejection_message), `Rejected: ${body.rejection_reason}.`, 'code');
        },
      },
    },
  },
  'PROMO-6': {
    '422': {
      refusal: {
        [REMOVE_PROMO]: ({ message }) =>
          message === 'Promo code not found'
            ? { status: 422, code: 'INVALID_REQUEST_ERROR', field: 'code' }
            : undefined,
      },
    },
  },
  'ERR-5': {
    '404': {
      refusal: {
        [APPLY]: ({ status, message }) =>
          status === 422 && /not recognized/i.test(message) ? { status: 404, code: 'NOT_FOUND_ERROR' } : undefined,
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Turn>>>>;

function twoLetters(address: Json): Json {
  const codes = ['state', 'country'].filter((name) => typeof address[name] === 'string' && address[name] !== '');
  return Object.fromEntries(codes.map((name) => [name, `${address[name]}XX`.slice(0, 2).toUpperCase()]));
}

function inTheFuture(request: MockRequest, handoff: unknown, nowMs: number, path: string): MockRequest {
  const time = isObject(handoff) ? handoff.pickup_time : undefined;
  if (typeof time !== 'string' || !(Date.parse(time) < nowMs)) return request;
  throw unprocessable('Invalid pickup time', `${path}pickup_time is in the past.`, `${path}pickup_time`);
}
