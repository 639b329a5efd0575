// An order: paying it, following it, getting money back.
import { el, money, words } from './elements.js';
import { send } from './state.js';

/**
 * @typedef {import('online-ordering-sdk').Order} Order
 * @typedef {import('./elements.js').Money} Money
 */

/** What stands in for the form of a payment provider: it would give a token as well. */
const CARDS = {
  tok_approved: 'Card that works',
  tok_declined: 'Card that is declined',
  tok_insufficient_funds: 'Card without money',
  tok_slow: 'Card that takes 5 s',
};

/**
 * @param {Order} order
 * @param {import('./state.js').Shown} picture
 */
export function drawOrder(order, { cart, hasTenders, refunded }) {
  const isOpen = order.status !== 'CANCELLED' && order.balance_due.amount > 0;
  const isUndecided = order.payment_status === 'PROCESSING';
  return [
    el('h2', {}, `Order ${order.id.slice(0, 8)}`),
    el(
      'ul',
      { class: 'lines' },
      order.items.map((line) => orderLine(order, line, refunded)),
    ),
    el('dl', { class: 'sums' }, [
      sum('Total', order.total, 'strong'),
      ...order.payments.map((one) => sum(`${words(one.payment_method)}: ${words(one.status)}`, one.amount)),
      ...(order.amount_refunded.amount > 0 ? [sum('Refunded', order.amount_refunded)] : []),
      ...(isOpen ? [sum('To pay', order.balance_due, 'strong')] : []),
    ]),
    ...(isUndecided ? [undecided()] : isOpen ? [payment(order, hasTenders)] : []),
    progress(order),
    el('p', { class: 'buttons' }, [
      ...(['PENDING', 'IN_PROGRESS'].includes(order.fulfillment_status) && order.status !== 'CANCELLED'
        ? [el('button', { onclick: () => send('POST', '/api/cancel') }, 'Cancel the order')]
        : []),
      ...(isOpen ? [] : [el('button', { 'data-key': 'new', onclick: () => send('POST', '/api/new') }, 'New order')]),
    ]),
    ...(cart ? [el('p', { class: 'quiet' }, 'Your next cart waits for you.')] : []),
  ];
}

/**
 * @param {string} name
 * @param {Money} amount
 */
const sum = (name, amount, kind = '') => el('div', { class: kind }, [el('dt', {}, name), el('dd', {}, money(amount))]);

/**
 * @param {Order} order
 * @param {Order['items'][number]} line
 * @param {readonly string[]} refunded
 */
const orderLine = (order, line, refunded) =>
  el('li', {}, [
    el('span', { class: 'line' }, [
      el('b', {}, `${line.quantity} × ${line.name}`),
      el('span', {}, money(line.item_total)),
    ]),
    ...(order.payment_status === 'PAID' && order.status !== 'CANCELLED' && !refunded.includes(line.id)
      ? [
          el('span', { class: 'buttons' }, [
            el('button', { 'data-key': line.id, onclick: () => send('POST', `/api/refund/${line.id}`) }, [
              'Refund',
              el('span', { class: 'hidden' }, ` ${line.name}`),
            ]),
          ]),
        ]
      : []),
  ]);

const undecided = () =>
  el('p', {}, [
    'Your bank is still deciding. ',
    el('button', { onclick: () => send('POST', '/api/pay', {}) }, 'Look again'),
  ]);

/**
 * @param {Order} order
 * @param {boolean} hasTenders
 */
function payment(order, hasTenders) {
  const hasGift = order.payments.some((one) => one.payment_method === 'GIFT_CARD' && one.status === 'COMPLETED');
  /** @param {Readonly<Record<string, string>>} form */
  const pay = ({ giftCard, giftAmount, cardToken }) =>
    send('POST', '/api/pay', { giftCard, giftCents: Math.round(Number(giftAmount) * 100), cardToken });
  const largest = Math.min(500, order.balance_due.amount) / 100;
  return el('form', { class: 'pay', onsubmit: pay }, [
    el('h3', {}, hasTenders ? 'Pay the rest' : 'Pay'),
    ...(hasGift
      ? []
      : [
          el('label', {}, [
            el('span', {}, 'Gift card (if you have one)'),
            el('input', { name: 'giftCard', 'data-key': 'gift', placeholder: 'GIFT-0500', autocomplete: 'off' }),
          ]),
          el('label', {}, [
            el('span', {}, 'Dollars from it'),
            el('input', {
              name: 'giftAmount',
              type: 'number',
              min: 0.01,
              max: order.balance_due.amount / 100,
              step: 0.01,
              value: largest.toFixed(2),
            }),
          ]),
        ]),
    el('label', {}, [
      el('span', {}, 'The rest by card'),
      el(
        'select',
        { name: 'cardToken', 'data-key': 'card' },
        Object.entries(CARDS).map(([token, name]) => el('option', { value: token }, name)),
      ),
    ]),
    el('button', { class: 'main', 'data-key': 'pay' }, `Pay ${money(order.balance_due)}`),
  ]);
}

/**
 * Where the order is, as the store says.
 *
 * @param {Order} order
 */
function progress({ fulfillment_status: present, status, handoff }) {
  const end = handoff.mode === 'DELIVERY' ? 'DELIVERED' : 'FULFILLED';
  const steps = ['PENDING', 'IN_PROGRESS', 'PREPARING', 'READY_FOR_PICKUP', end];
  const shown = steps.includes(present) ? steps : [present];
  return el(
    'ol',
    { class: 'progress', 'aria-label': `The order is ${words(status).toLowerCase()}` },
    shown.map((step, place) =>
      el(
        'li',
        {
          class: step === present ? 'now' : place < shown.indexOf(present) ? 'past' : '',
          ...(step === present && { 'aria-current': 'step' }),
        },
        words(step),
      ),
    ),
  );
}
