/**
 * Attributes of an element by their names; `on…` are listeners, and a form gives its fields.
 *
 * @typedef {object} Listeners
 * @property {(fields: Readonly<Record<string, string>>) => unknown} [onsubmit]
 * @property {() => unknown} [onclick]
 * @property {(event: { target: HTMLInputElement }) => unknown} [oninput]
 * @property {(event: { target: HTMLInputElement }) => unknown} [onchange]
 *
 * @typedef {Listeners & Readonly<Record<string, unknown>>} Properties
 *
 * @typedef {{ readonly amount: number, readonly currency: string }} Money
 */

/**
 * An element of the page. Texts become text and never markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {string | Node | (string | Node)[]} [children]
 */
export function el(tag, properties, children = []) {
  const element = document.createElement(tag);
  const { onsubmit, ...others } = properties;
  if (onsubmit && element instanceof HTMLFormElement) {
    const form = element;
    form.onsubmit = (event) => {
      event.preventDefault();
      onsubmit(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])));
    };
  }
  for (const [name, value] of Object.entries(others)) {
    if (name.startsWith('on')) Object.assign(element, { [name]: value });
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  if (element instanceof HTMLButtonElement && properties.type === undefined)
    element.type = properties.onclick ? 'button' : 'submit';
  element.append(...[children].flat());
  return element;
}

/**
 * An element that `page.html` has.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`page.html has no ${kind.name} "${id}".`);
}

/**
 * Puts elements in place of those that are there. Focus, and what is being typed, stay with their `data-key`.
 *
 * @param {HTMLElement} place
 * @param {readonly Node[]} elements
 */
export function draw(place, elements) {
  const values = new Map(inputs(place, ':not([type]), [type=text]').map(({ dataset, value }) => [dataset.key, value]));
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && place.contains(active) ? active.dataset.key : undefined;
  place.replaceChildren(...elements);
  for (const input of inputs(place, '*')) {
    const value = values.get(input.dataset.key);
    if (value) input.value = value;
  }
  if (focused) {
    const again = place.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    if (again instanceof HTMLElement) again.focus();
  }
}

/**
 * @param {HTMLElement} place
 * @param {string} which
 * @returns {HTMLInputElement[]}
 */
const inputs = (place, which) =>
  [...place.querySelectorAll('input')].filter((one) => one.dataset.key && one.matches(which));

/**
 * Cents, as people write them.
 *
 * @param {Money} money
 */
export const money = ({ amount, currency }) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);

/**
 * `READY_FOR_PICKUP` is `Ready for pickup`.
 *
 * @param {string} name
 */
export const words = (name) => {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};
