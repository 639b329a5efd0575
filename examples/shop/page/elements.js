/** An element of the page. Texts become text and never markup; `on…` are listeners; a form gives its fields. */
export function el(tag, properties, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'onsubmit')
      element.onsubmit = (event) => {
        event.preventDefault();
        value(Object.fromEntries(new FormData(element)));
      };
    else if (name.startsWith('on')) element[name] = value;
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  if (tag === 'button' && properties.type === undefined) element.type = properties.onclick ? 'button' : 'submit';
  element.append(...[children].flat());
  return element;
}

/** Puts elements in place of those that are there. Focus, and what is being typed, stay with their `data-key`. */
export function draw(place, elements) {
  const typed = [...place.querySelectorAll('input[data-key]:not([type]), input[data-key][type=text]')];
  const values = new Map(typed.map((input) => [input.dataset.key, input.value]));
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(...elements);
  for (const input of place.querySelectorAll('input[data-key]')) {
    const value = values.get(input.dataset.key);
    if (value) input.value = value;
  }
  if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** Cents, as people write them. */
export const money = ({ amount, currency }) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);

/** `READY_FOR_PICKUP` is `Ready for pickup`. */
export const words = (name) => {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text[0].toUpperCase() + text.slice(1);
};
