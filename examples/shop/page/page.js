// The page of the shop: it shows the picture that the server gives, and sends what the customer does. Nothing else.
import { byId, draw, el, money, words } from './elements.js';
import { openItem } from './item.js';
import { drawOrder } from './order.js';
import { send, state } from './state.js';

/**
 * @typedef {import('../picture.js').StoreCard} StoreCard
 * @typedef {import('../picture.js').MenuCards} MenuCards
 * @typedef {import('online-ordering-sdk').PriceCalculation} Price
 * @typedef {import('./state.js').Picture} Picture
 * @typedef {import('./state.js').Shown} Shown
 * @typedef {NonNullable<Shown['cart']>} ShownCart
 */

const left = byId('left', HTMLElement);
const right = byId('right', HTMLElement);
const question = byId('question', HTMLDialogElement);

/**
 * What the server says about the visit. It comes after each click, and whenever a webhook told of a change.
 *
 * @param {Picture} picture
 */
function show(picture) {
  const before = state.picture;
  state.picture = picture;
  const where = byId('where', HTMLElement);
  if (!picture.store) {
    where.replaceChildren();
    draw(right, []);
    askAbout(undefined);
    showStores();
    return;
  }
  const { id, name } = picture.store;
  where.replaceChildren(el('b', {}, name), el('button', { onclick: showStores, class: 'plain' }, 'Change store'));
  const isSame =
    before?.store?.id === id &&
    before.menuVersion === picture.menuVersion &&
    String(before.soldOut) === String(picture.soldOut);
  if (!isSame) showMenu(id);
  draw(right, picture.order ? drawOrder(picture.order, picture) : cart(picture));
  askAbout(picture.question);
}
state.show = show;

async function showStores() {
  const stores = /** @type {StoreCard[] | undefined} */ (await send('GET', '/api/stores'));
  if (!stores) return;
  draw(left, [
    el('h2', {}, 'Choose a store'),
    el(
      'ul',
      { class: 'stores' },
      stores.map((store) =>
        el('li', {}, [
          el(
            'button',
            {
              class: 'card',
              disabled: !store.takesOrders,
              onclick: () => send('POST', '/api/store', { storeId: store.id }),
            },
            [
              el('b', {}, store.name),
              el('span', {}, store.place),
              el('span', { class: store.isOpen ? 'good' : 'bad' }, store.isOpen ? 'Open now' : 'Closed now'),
              el('span', { class: 'quiet' }, store.takesOrders ? `Today ${store.hours}` : 'Takes no online orders'),
            ],
          ),
        ]),
      ),
    ),
  ]);
}

/** @param {string} storeId */
async function showMenu(storeId) {
  const categories = /** @type {MenuCards | undefined} */ (await send('GET', `/api/menu/${storeId}`));
  if (!categories) return;
  draw(left, [
    el(
      'nav',
      { 'aria-label': 'Categories', class: 'chips' },
      categories.map(({ name }, place) => el('a', { href: `#category-${place}` }, name)),
    ),
    ...categories.flatMap(({ name, items }, place) => [
      el('h2', { id: `category-${place}` }, name),
      el(
        'ul',
        { class: 'items' },
        items.map((item) => el('li', {}, [itemCard(item)])),
      ),
    ]),
  ]);
}

/** @param {MenuCards[number]['items'][number]} item */
const itemCard = (item) =>
  el(
    'button',
    { class: `card ${item.problem ? 'off' : ''}`, 'data-key': item.id, onclick: () => openItem(item.id, item.name) },
    [
      el('span', { class: 'line' }, [el('b', {}, item.name), el('span', {}, money(item.base_price))]),
      el('span', { class: 'quiet' }, item.description),
      ...(item.problem ? [el('span', { class: 'bad' }, item.problem)] : []),
      ...(item.minimum_age ? [el('span', { class: 'warn' }, `From ${item.minimum_age}; ID is checked`)] : []),
      ...(item.max_allowed_quantity ? [el('span', { class: 'quiet' }, `At most ${item.max_allowed_quantity}`)] : []),
    ],
  );

/** @param {Shown} picture */
function cart({ cart, price, store }) {
  if (!cart || !price || cart.items.length === 0)
    return [el('h2', {}, 'Your cart'), el('p', { class: 'quiet' }, 'Nothing in it yet. Choose from the menu.')];
  return [
    el('h2', {}, 'Your cart'),
    el('ul', { class: 'lines' }, cart.items.map(cartLine)),
    promo(cart),
    handoff(cart, store),
    el('dl', { class: 'sums' }, sums(price).map(sumRow)),
    ...(cart.age_verification_required ? [el('p', { class: 'warn' }, 'A photo ID is checked at the handover.')] : []),
    ...(cart.wouldBeRefused
      ? [el('p', { class: 'bad', role: 'status' }, 'The store would refuse this order: change what is marked above.')]
      : []),
    el(
      'button',
      {
        class: 'main',
        'data-key': 'checkout',
        disabled: cart.wouldBeRefused || !cart.handoff_mode,
        onclick: () => send('POST', '/api/checkout'),
      },
      cart.handoff_mode ? `Order for ${money(price.total)}` : 'Say first how you get it',
    ),
  ];
}

/** @param {ShownCart['items'][number]} item */
const cartLine = (item) =>
  el('li', { class: item.problems.length > 0 ? 'off' : '' }, [
    el('span', { class: 'line' }, [
      el('b', {}, `${item.quantity} × ${item.name}`),
      el('span', {}, money(item.item_total)),
    ]),
    ...(item.chosen ? [el('span', { class: 'quiet' }, item.chosen)] : []),
    ...item.problems.map((text) => el('span', { class: 'bad' }, text)),
    el('span', { class: 'buttons' }, [
      el('button', { 'data-key': `change-${item.id}`, onclick: () => openItem(item.menu_item_id, item.name, item) }, [
        'Change',
        el('span', { class: 'hidden' }, ` ${item.name}`),
      ]),
      el('button', { onclick: () => send('DELETE', `/api/items/${item.id}`) }, [
        'Remove',
        el('span', { class: 'hidden' }, ` ${item.name}`),
      ]),
    ]),
  ]);

/** @param {Price} price */
function sums(price) {
  return [
    { name: 'Subtotal', amount: money(price.subtotal) },
    ...price.discounts.map(({ name, amount }) => ({ name, amount: `−${money(amount)}` })),
    ...price.fees.map(({ name, type, amount }) => ({ name: name ?? words(type), amount: money(amount) })),
    { name: 'Tax', amount: money(price.total_tax) },
    { name: 'Total', amount: money(price.total) },
  ];
}

/** @param {{ name: string, amount: string }} sum */
const sumRow = ({ name, amount }) =>
  el('div', { class: name === 'Total' ? 'strong' : '' }, [el('dt', {}, name), el('dd', {}, amount)]);

/** @param {ShownCart} cart */
function promo(cart) {
  const [used] = cart.promo_codes;
  if (used)
    return el('p', { class: 'line' }, [
      el('span', {}, `Promo code ${used.code}`),
      el('button', { onclick: () => send('DELETE', `/api/promo/${encodeURIComponent(used.code)}`) }, 'Remove code'),
    ]);
  return el('form', { class: 'row', onsubmit: (form) => send('POST', '/api/promo', { code: form.code }) }, [
    el('label', {}, [
      el('span', {}, 'Promo code'),
      el('input', { name: 'code', required: true, 'data-key': 'promo', autocomplete: 'off' }),
    ]),
    el('button', {}, 'Apply'),
  ]);
}

/** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const FIELDS = {
  CURBSIDE: { vehicle_make: 'Make of the car', vehicle_model: 'Model', vehicle_color: 'Colour' },
  DELIVERY: { street: 'Street', city: 'City', state: 'State (two letters)', postal_code: 'Postal code' },
};

/**
 * How the customer gets the order. Fees depend on it, so it is asked for before the price is final.
 *
 * @param {ShownCart} cart
 * @param {NonNullable<Shown['store']>} store
 */
function handoff(cart, store) {
  const stored = cart.handoff_mode;
  const mode = state.mode ?? stored?.mode ?? '';
  /** @param {{ target: HTMLInputElement }} event */
  const choose = ({ target }) => {
    state.mode = target.value;
    if (state.mode === 'PICKUP') save({ pickup_time: null });
    else if (state.mode === 'KIOSK') save({});
    else if (state.picture) show(state.picture);
  };
  /** @param {object} details */
  const save = (details) => {
    const handoff = { mode: state.mode ?? mode, ...details };
    state.mode = undefined;
    return send('PUT', '/api/handoff', handoff);
  };
  /** @type {Readonly<Record<string, unknown>>} */
  const known = { ...stored, ...(stored?.mode === 'DELIVERY' && stored.delivery_address) };
  const modes = store.modes.map((one) => el('option', { value: one, selected: one === mode }, words(one)));
  const fields = Object.entries(FIELDS[mode] ?? {}).map(([name, label]) =>
    el('label', {}, [
      el('span', {}, label),
      el('input', {
        name,
        required: true,
        'data-key': name,
        value: known[name] ?? '',
      }),
    ]),
  );
  return el(
    'form',
    { class: 'handoff', onsubmit: (form) => save(mode === 'DELIVERY' ? { delivery_address: form } : form) },
    [
      el('label', {}, [
        el('span', {}, 'How you get it'),
        el('select', { 'data-key': 'mode', onchange: choose }, [
          el('option', { value: '', disabled: true, selected: mode === '' }, 'Choose'),
          ...modes,
        ]),
      ]),
      ...fields,
      ...(fields.length > 0 ? [el('button', {}, stored?.mode === mode ? 'Save' : 'Use this')] : []),
    ],
  );
}

/**
 * The price changed while the order was placed: nothing is ordered until the customer has answered.
 *
 * @param {Shown['question'] | undefined} change
 */
function askAbout(change) {
  if (!change) return question.open && question.close();
  if (question.open) return undefined;
  /** @param {'accept' | 'stop'} text */
  const answer = (text) => send('POST', '/api/price-answer', { answer: text }, { isPicture: false });
  draw(question, [
    el('h2', { id: 'question-title' }, 'The price has changed'),
    el('p', {}, [
      'It was ',
      el('s', {}, money(change.before.total)),
      ' and is ',
      el('b', {}, money(change.after.total)),
      change.changeReasons.length > 0 ? `: ${change.changeReasons.map(words).join(', ')}.` : '.',
    ]),
    el('p', { class: 'buttons' }, [
      el('button', { class: 'main', onclick: () => answer('accept') }, `Order for ${money(change.after.total)}`),
      el('button', { onclick: () => answer('stop') }, 'Do not order'),
    ]),
  ]);
  question.oncancel = () => answer('stop');
  return question.showModal();
}

const events = new EventSource('/api/events');
events.addEventListener('picture', ({ data }) => show(JSON.parse(data)));
events.addEventListener('aside', ({ data }) => {
  const list = byId('asides', HTMLElement);
  list.querySelector('.quiet')?.remove();
  list.prepend(el('li', {}, JSON.parse(data)));
});

const theme = byId('theme', HTMLSelectElement);
theme.onchange = () => {
  document.documentElement.dataset.theme = theme.value;
};
