import type { Ended } from '../../platform/tracing.js';
import type { CallTrace } from './observer.js';

interface TracedOperation {
  readonly method: string;
  /** Of the path. */
  readonly template: string;
}

/** The message of a call, before it is sent. */
export function beginTrace({ method, template: path }: TracedOperation, origin: string): CallTrace {
  const { hostname, port, protocol } = new URL(origin);
  return { method, path, serverAddress: hostname, serverPort: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Writes into the message how the call ended: facts only, no bodies and no texts of the service. Names a failure. */
export function endTrace(
  trace: CallTrace,
  ended: Ended<{ readonly status: number; readonly attempts: number }>,
): string | undefined {
  if ('value' in ended) {
    trace.status = ended.value.status;
    trace.attempts = ended.value.attempts;
    return undefined;
  }
  const error = ended.error as { name?: string; status?: number; attempts?: number; outcome?: string } | undefined;
  trace.errorType = error?.name ?? 'unknown';
  trace.status = error?.status;
  trace.attempts = error?.attempts ?? 0;
  trace.outcome = error?.outcome;
  return trace.errorType;
}
