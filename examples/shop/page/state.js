/** What the page knows: the latest picture, and what was chosen and not sent yet. */
export const state = { picture: undefined, mode: undefined, show: () => {} };

/** Asks the server. What it says about the visit is shown; what went wrong is said to the customer. */
export async function send(method, path, body, { isPicture = method !== 'GET' } = {}) {
  say('');
  document.body.ariaBusy = 'true';
  try {
    const response = await fetch(path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (answer.message) say(answer.message);
    if (!response.ok) throw new Error(answer.message);
    if (isPicture) state.show(answer);
    return answer;
  } catch (error) {
    say(error instanceof TypeError ? 'The shop cannot be reached.' : error.message);
    return undefined;
  } finally {
    document.body.ariaBusy = 'false';
  }
}

export function say(text) {
  const message = document.getElementById('message');
  message.textContent = text;
  message.hidden = text === '';
}
