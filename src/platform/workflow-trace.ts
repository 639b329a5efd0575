import { type Ended, TraceChannel, type TraceMessage } from './tracing.js';

/** The message of a procedure of several calls in the tracing channel `online-ordering-sdk:workflow`. */
export interface WorkflowTrace extends TraceMessage {
  readonly name: 'settle' | 'resume' | 'wait_for' | 'checkout_with_price';
  readonly orderId?: string | undefined;
  /** How it ended: the status of a settlement, or whether a goal was reached. (`result` is the channel's own field.) */
  ending?: string | undefined;
  /** Name of the error's class. */
  errorType?: string | undefined;
}

const workflows = /* @__PURE__ */ new TraceChannel<WorkflowTrace>('workflow');

/** Runs a procedure, and publishes its beginning and end to tracers. */
export function traceWorkflow<T>(
  trace: WorkflowTrace,
  work: () => Promise<T>,
  resultOf: (value: T) => string | undefined,
): Promise<T> {
  if (!workflows.isTraced) return work();
  return workflows.trace(trace, work, (ended: Ended<T>) => {
    if ('value' in ended) {
      trace.ending = resultOf(ended.value);
      return undefined;
    }
    trace.errorType = (ended.error as Error | undefined)?.name ?? 'unknown';
    return trace.errorType;
  });
}
