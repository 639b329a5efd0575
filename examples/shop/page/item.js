// One item while it is put together: the server says what may still be chosen, and why it would be refused.
import { byId, draw, el, money } from './elements.js';
import { send } from './state.js';

/**
 * @typedef {import('../picture.js').Draft} Draft
 * @typedef {import('online-ordering-sdk/menus').GroupChoice} Group
 * @typedef {import('online-ordering-sdk/menus').ModifierChoice} Modifier
 * @typedef {import('../picture.js').ItemDraft} Item
 * @typedef {import('online-ordering-sdk').ModifierSelectionRequest} Selection
 * @typedef {import('online-ordering-sdk').CartItem} Line
 *
 * @typedef {object} Edit An item in the dialog.
 * @property {string} name
 * @property {Line | undefined} line The line of the cart that is being changed.
 * @property {Item} item
 * @property {number} round Counts the questions to the server.
 */

const dialog = byId('item', HTMLDialogElement);

/**
 * Opens the dialog for a menu item, or for a line of the cart that is to be changed.
 *
 * @param {string} itemId
 * @param {string} name
 * @param {Line} [line]
 */
export function openItem(itemId, name, line) {
  /** @type {Item} */
  const item = line
    ? {
        menu_item_id: itemId,
        quantity: line.quantity,
        modifier_selections: line.modifier_selections,
        special_instructions: line.special_instructions,
      }
    : { menu_item_id: itemId, quantity: 1 };
  const edit = { name, line, item, round: 0 };
  dialog.replaceChildren();
  dialog.showModal();
  return judge(edit);
}

/**
 * Asks the server about the item as it is now.
 *
 * @param {Edit} edit
 */
async function judge(edit) {
  const round = ++edit.round;
  const question = { item: edit.item, replacing: edit.line?.id };
  const draft = /** @type {Draft | undefined} */ (await send('POST', '/api/draft', question, { isPicture: false }));
  if (!draft) return dialog.close();
  if (round !== edit.round) return undefined; // a later change is on its way
  edit.item = draft.item;
  return draw(dialog, content(edit, draft));
}

/**
 * @param {Edit} edit
 * @param {Draft} draft
 */
function content(edit, { groups, price, problems }) {
  const { item, line } = edit;
  const save = async () => {
    const saved = line ? await send('PUT', `/api/items/${line.id}`, item) : await send('POST', '/api/items', item);
    if (saved) dialog.close();
  };
  return [
    el('form', { onsubmit: save }, [
      el('h2', { id: 'item-title' }, edit.name),
      ...groups.map((group) => choiceGroup(edit, group)),
      el('label', {}, [
        el('span', {}, 'For the kitchen'),
        el('input', {
          maxlength: 200,
          'data-key': 'kitchen',
          value: item.special_instructions ?? '',
          oninput: ({ target }) => {
            item.special_instructions = target.value || null;
          },
        }),
      ]),
      el('label', {}, [
        el('span', {}, 'How many'),
        el('input', {
          type: 'number',
          min: 1,
          value: item.quantity,
          'data-key': 'quantity',
          oninput: ({ target }) => {
            item.quantity = Number(target.value);
            judge(edit);
          },
        }),
      ]),
      el(
        'ul',
        { class: 'problems', role: 'status', 'aria-label': 'Why the store would refuse it' },
        problems.map(({ message, enforced }) => el('li', { class: enforced ? 'bad' : 'warn' }, message)),
      ),
      el('p', { class: 'buttons' }, [
        el(
          'button',
          { class: 'main', 'data-key': 'save', disabled: problems.some(({ enforced }) => enforced) },
          `${line ? 'Change' : 'Add'}${price ? ` for ${money(price)}` : ''}`,
        ),
        el('button', { onclick: () => dialog.close() }, 'Cancel'),
      ]),
    ]),
  ];
}

/**
 * A group of modifiers, with the groups of what is chosen below it.
 *
 * @param {Edit} edit
 * @param {Group} group
 * @returns {HTMLFieldSetElement}
 */
function choiceGroup(edit, group) {
  const most = group.stillAllowed === null ? null : group.chosen + group.stillAllowed;
  const hints = [
    group.stillRequired > 0 ? `choose ${group.stillRequired}${group.chosen > 0 ? ' more' : ''}` : '',
    most !== null && most > 1 ? `up to ${most}` : '',
  ].filter(Boolean);
  return el('fieldset', { class: group.stillRequired > 0 ? 'missing' : '' }, [
    el('legend', {}, [el('b', {}, group.name), el('span', { class: 'quiet' }, ` ${hints.join(', ')}`)]),
    ...group.modifiers.flatMap((modifier) => [
      modifierRow(edit, group, modifier, most),
      ...modifier.nested
        .filter(({ selection }) => selection !== null)
        .flatMap(({ groups }) => groups.map((below) => choiceGroup(edit, below))),
    ]),
  ]);
}

/**
 * @param {Edit} edit
 * @param {Group} group
 * @param {Modifier} modifier
 * @param {number | null} most How many of the group may be chosen.
 */
function modifierRow(edit, group, modifier, most) {
  const { chosen, stillAllowed } = modifier;
  const isOnly = most === 1;
  const key = `${group.field} ${modifier.modifierId}`;
  /** @param {number} by */
  const change = (by) => {
    const selections = changed(edit.item.modifier_selections ?? [], { group, modifier, by, isOnly });
    edit.item = { ...edit.item, modifier_selections: selections };
    return judge(edit);
  };
  const mayRepeat = chosen > 1 || (chosen === 1 && stillAllowed !== 0);
  return el('div', { class: 'choice' }, [
    el('label', {}, [
      el('input', {
        type: 'checkbox',
        'data-key': key,
        checked: chosen > 0,
        disabled: chosen === 0 && stillAllowed === 0 && !(isOnly && modifier.available),
        onchange: () => change(chosen > 0 ? -chosen : 1),
      }),
      modifier.name,
      el('span', { class: 'quiet' }, modifier.price?.amount ? ` +${money(modifier.price)}` : ''),
      ...(modifier.available ? [] : [el('span', { class: 'bad' }, ' sold out')]),
    ]),
    ...(mayRepeat
      ? [
          el('span', { class: 'stepper' }, [
            el(
              'button',
              { 'aria-label': `Less ${modifier.name}`, 'data-key': `- ${key}`, onclick: () => change(-1) },
              '−',
            ),
            el('span', {}, String(chosen)),
            el(
              'button',
              {
                'aria-label': `More ${modifier.name}`,
                'data-key': `+ ${key}`,
                disabled: stillAllowed === 0,
                onclick: () => change(1),
              },
              '+',
            ),
          ]),
        ]
      : []),
  ]);
}

/**
 * The selections with one modifier more or less; `field` says in which list, as the service writes its paths.
 *
 * @param {Selection[]} selections
 * @param {{ group: Group, modifier: Modifier, by: number, isOnly: boolean }} change
 */
function changed(selections, { group, modifier, by, isOnly }) {
  const all = structuredClone(selections);
  const places = [...group.field.matchAll(/\[(\d+)\]/g)].map(([, place]) => Number(place));
  const list = places.reduce((at, place) => at[place]?.nested_selections ?? [], all);
  const own = list.find((one) => one.modifier_group_id === group.groupId && one.modifier_id === modifier.modifierId);
  if (own) own.quantity = (own.quantity ?? 1) + by;
  else {
    // Of a group with one choice the new one takes the place of the old one.
    const rest = isOnly ? list.filter((one) => one.modifier_group_id !== group.groupId) : list;
    list.splice(0, list.length, ...rest, {
      modifier_group_id: group.groupId,
      modifier_id: modifier.modifierId,
      quantity: 1,
      nested_selections: [],
    });
  }
  list.splice(0, list.length, ...list.filter(({ quantity = 1 }) => quantity > 0));
  return all;
}
