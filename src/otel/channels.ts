import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { notify } from '../platform/emitter.js';

/** A subscription that can be ended. */
export type Stop = () => void;

/** Listens to facts of one moment; Node would end the process for one that throws. */
export function onFact<Facts>(name: string, listener: (facts: Facts) => void): Stop {
  const onMessage = (message: unknown): void => notify(listener, message as Facts);
  subscribe(`online-ordering-sdk:${name}`, onMessage);
  return () => unsubscribe(`online-ordering-sdk:${name}`, onMessage);
}

/** What is done at the beginning and at the end of traced work. */
export interface TraceListener<Message> {
  started(message: Message): void;
  ended(message: Message): void;
}

export function onTrace<Message extends object>(name: string, { started, ended }: TraceListener<Message>): Stop {
  const channel = tracingChannel(`online-ordering-sdk:${name}`);
  const subscribers = {
    start: (message: unknown): void => notify(started, message as Message),
    asyncEnd: (message: unknown): void => notify(ended, message as Message),
    // Node wants a function for each event.
    end: (): void => {},
    asyncStart: (): void => {},
    error: (): void => {},
  };
  channel.subscribe(subscribers);
  return () => channel.unsubscribe(subscribers);
}
