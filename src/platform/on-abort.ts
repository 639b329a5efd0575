/** One listener: where it stands among those of its signal; -1 once it was called or removed. */
interface Entry {
  readonly listener: () => void;
  place: number;
}

/**
 * The listeners of each signal, behind one of the signal itself. In no order, and no Set: the tables that a Set leaves behind
 * hold on to each other, and to the calls in them.
 */
const listenersOf = new WeakMap<AbortSignal, { readonly all: Entry[]; readonly run: () => void }>();

/**
 * Calls `listener` when the signal aborts; returns a function that removes it.
 *
 * However many listen, the signal has one listener: many calls may share a signal without a warning of the runtime, and
 * adding to a list costs less than `addEventListener`. As with that, a signal that was aborted before does not call.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const { all, run } = listenersOf.get(signal) ?? create(signal);
  if (all.length === 0) signal.addEventListener('abort', run, { once: true });
  // An entry of its own each time, so that the same function may be given twice.
  const entry: Entry = { listener, place: all.length };
  all.push(entry);
  return () => {
    if (remove(entry, all) && all.length === 0) signal.removeEventListener('abort', run);
  };
}

/** The last one takes the place of the one that goes. */
function remove(entry: Entry, all: Entry[]): boolean {
  const { place } = entry;
  if (place < 0) return false;
  const last = all.pop()!;
  if (last !== entry) {
    all[place] = last;
    last.place = place;
  }
  entry.place = -1;
  return true;
}

function create(signal: AbortSignal) {
  const all: Entry[] = [];
  const run = (): void => {
    const present = all.splice(0);
    for (const entry of present) entry.place = -1;
    for (const { listener } of present) listener();
  };
  const created = { all, run };
  listenersOf.set(signal, created);
  return created;
}
