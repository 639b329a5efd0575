import { type Behaviour, type BehaviourChange, KIND } from '../behaviour/behaviour.js';
import { BEHAVIOUR_SWITCHES, changed } from '../behaviour/switches.js';

/** One flag for each switch of the behaviour: `--keys-in-flight` for `keysInFlight`. */
export const BEHAVIOUR_FLAGS = (Object.keys(BEHAVIOUR_SWITCHES) as (keyof Behaviour)[]).map((name) => ({
  name,
  flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  usage: BEHAVIOUR_SWITCHES[name].write,
}));

/** Reads the values of the flags: words as they are, everything else as JSON. */
export function readBehaviourFlags(
  values: Readonly<Record<string, unknown>>,
): { change: BehaviourChange } | { problem: string } {
  const given = BEHAVIOUR_FLAGS.filter(({ flag }) => values[flag] !== undefined);
  const change = Object.fromEntries(given.map(({ name, flag }) => [name, readValue(String(values[flag]))]));
  try {
    changed(KIND, change);
    return { change };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const [first] = given.filter(({ name }) => said.includes(`"${name}`));
    return { problem: first ? `--${first.flag} is not understood: ${said}` : said };
  }
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
