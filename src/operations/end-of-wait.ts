import { APIUserAbortError, ClientClosedError } from '../errors/connection.js';
import { onAbort } from '../platform/on-abort.js';
import type { NamedWork } from './named-work.js';

/** Ends a wait with the caller's signal, and with the client. */
export function endOfWait({ name, method, template: path, signal, closing }: NamedWork<unknown>): {
  readonly signal: AbortSignal;
  readonly forget: () => void;
} {
  const controller = new AbortController();
  const facts = { method, path, attempts: 0, outcome: 'not_sent' } as const;
  const what = `The operation "${name}" (${method} ${path}) was not sent`;
  const onSignal = (): void => {
    controller.abort(
      new APIUserAbortError(`${what}: the signal of the caller ended the call.`, facts, { cause: signal?.reason }),
    );
  };
  const onClose = (): void => controller.abort(new ClientClosedError(`${what}: the client was closed.`, facts));
  const ignoreSignal = signal && onAbort(signal, onSignal);
  const ignoreClose = closing?.onClose(onClose);
  if (signal?.aborted) onSignal();
  else if (closing?.isClosed) onClose();
  return {
    signal: controller.signal,
    forget: (): void => {
      ignoreSignal?.();
      ignoreClose?.();
    },
  };
}
