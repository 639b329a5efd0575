import type { WebhookEvent, WebhookEventType } from '../../contract/index.js';
import { WebhookVerificationError } from '../../errors/webhook.js';
import { bodyText } from '../signature/raw-body.js';
import { shapeProblem } from './event-shapes.js';

/** An event of one of the six types, which `event_type` names. */
export type KnownEvent = WebhookEvent & {
  /** True: `event_type` is one of the six, and `data` has the ids that handlers act on. */
  readonly known: true;
};

/** An event of a type that this package does not know yet. */
export interface UnknownEvent {
  /** False: acknowledge it, and do nothing that depends on `data`. */
  readonly known: false;
  /** Id of the event, the same in each delivery of it. */
  event_id: string;
  /** Its type, as the service wrote it. */
  event_type: string;
  /** ISO 8601, when the service made the event, where it says so. */
  created_at?: string;
  /** Whatever the service sent with it; nothing of it was checked. */
  data: unknown;
}

/** What a verified delivery holds. Ask for `known` first; after that, `event_type` narrows `data`. */
export type ReceivedEvent = KnownEvent | UnknownEvent;

/** The event of one type. */
export type EventOf<Type extends WebhookEventType> = Extract<
  KnownEvent,
  {
    /** The type that is asked for. */
    event_type: Type;
  }
>;

/** Identifiers become keys of a store; the service's have 36 or 40 characters. */
const LONGEST_EVENT_ID = 255;

/** Reads a verified body, whose content stands in the field `content` (gap EVT-1). Fields beyond those known are kept; the ids that handlers act on must be there. */
export function parseEvent(body: string | Uint8Array, content: 'data' | 'payload' = 'data'): ReceivedEvent {
  const event = parseJson(bodyText(body));
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw notAnEvent('it is not an object');
  const { event_id: id, event_type: type, [content]: data } = event as Record<string, unknown>;
  if (typeof id !== 'string' || id === '') throw notAnEvent('event_id is not a text');
  if (id.length > LONGEST_EVENT_ID) throw notAnEvent(`event_id is longer than ${LONGEST_EVENT_ID} characters`);
  if (typeof type !== 'string' || type === '') throw notAnEvent('event_type is not a text');
  const problem = shapeProblem(type, data);
  if (problem) throw notAnEvent(problem);
  const received = event as { known: boolean; data: unknown; payload?: unknown };
  if (content === 'payload') {
    received.data = data;
    delete received.payload;
  }
  received.known = problem === null;
  return received as unknown as ReceivedEvent;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out: its message repeats a part of the body.
    throw new WebhookVerificationError('not_json', 'The webhook body is not JSON.');
  }
}

function notAnEvent(problem: string): WebhookVerificationError {
  return new WebhookVerificationError('not_an_event', `The webhook body is no event: ${problem}.`);
}
