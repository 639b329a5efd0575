type Listener = () => void;

/** The listeners of each signal, behind one of the signal itself. */
const listenersOf = new WeakMap<AbortSignal, { readonly all: Set<Listener>; readonly run: Listener }>();

/**
 * Calls `listener` when the signal aborts; returns a function that removes it.
 *
 * However many listen, the signal has one listener: many calls may share a signal without a warning of the runtime, and
 * adding to a set costs less than `addEventListener`. As with that, a signal that was aborted before does not call.
 */
export function onAbort(signal: AbortSignal, listener: Listener): () => void {
  const known = listenersOf.get(signal) ?? create(signal);
  if (known.all.size === 0) signal.addEventListener('abort', known.run, { once: true });
  // A listener of its own each time, so that the same function may be given twice.
  const own = (): void => listener();
  known.all.add(own);
  return () => {
    if (known.all.delete(own) && known.all.size === 0) signal.removeEventListener('abort', known.run);
  };
}

function create(signal: AbortSignal) {
  const all = new Set<Listener>();
  const run = (): void => {
    const present = [...all];
    all.clear();
    for (const listener of present) listener();
  };
  const created = { all, run };
  listenersOf.set(signal, created);
  return created;
}
