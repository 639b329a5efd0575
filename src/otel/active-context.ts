import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, ROOT_CONTEXT } from '@opentelemetry/api';

/** Keeps the parent of a span where no context manager is registered. */
const own = new AsyncLocalStorage<Context>();

export function activeContext(): Context {
  const active = context.active();
  return active === ROOT_CONTEXT ? (own.getStore() ?? ROOT_CONTEXT) : active;
}

/** Runs work so that what it starts, here and in other instrumentations, has `parent` as its context. */
export function within(parent: Context): <T>(work: () => T) => T {
  return (work) => own.run(parent, () => context.with(parent, work));
}
