import { byId } from './elements.js';

/**
 * @typedef {import('../picture.js').Picture} Picture
 * @typedef {Extract<Picture, { menuVersion: string }>} Shown The picture of a visit that has a store.
 */

/**
 * What the page knows: the latest picture, and what was chosen and not sent yet.
 *
 * @type {{ picture: Picture | undefined, mode: string | undefined, show: (picture: Picture) => void }}
 */
export const state = { picture: undefined, mode: undefined, show: () => {} };

/**
 * Sends a request to the server. What it says about the visit is shown; what went wrong is said to the customer.
 *
 * @param {'GET' | 'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {{ isPicture?: boolean }} [options]
 * @returns {Promise<unknown>} `undefined` when it failed.
 */
export async function send(method, path, body, { isPicture = method !== 'GET' } = {}) {
  say('');
  document.body.ariaBusy = 'true';
  try {
    const response = await fetch(path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const result = await response.json();
    if (result.message) say(result.message);
    if (!response.ok) throw new Error(result.message);
    if (isPicture) state.show(result);
    return result;
  } catch (error) {
    say(error instanceof Error && !(error instanceof TypeError) ? error.message : 'The shop cannot be reached.');
    return undefined;
  } finally {
    document.body.ariaBusy = 'false';
  }
}

/** @param {string} text */
export function say(text) {
  const message = byId('message', HTMLElement);
  message.textContent = text;
  message.hidden = text === '';
}
