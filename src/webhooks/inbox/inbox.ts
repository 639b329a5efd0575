import type { Store } from '../../stores/store.js';
import type { ReceivedEvent } from '../event/events.js';

/** An event as an inbox keeps it. All of it is JSON. */
export interface InboxEntry {
  /** `event_id`; an inbox keeps one entry for each id. */
  readonly id: string;
  /** What the event is about (`order:…`, `stock:…`). Entries of one subject are handled one at a time, oldest first. */
  readonly subject: string;
  /** Who brought the event: a delivery, or the reconciler. */
  readonly source: 'webhook' | 'reconciler';
  /** The verified event, as handlers get it. */
  readonly event: ReceivedEvent;
}

/** What an inbox hands over with an entry, each time that it is tried. */
export interface InboxAttempt<Tx = undefined> {
  /** 1 at the first time. */
  readonly attempt: number;
  /** Ends when the workers are stopped for good, or when another one may have taken over the entry. */
  readonly signal: AbortSignal;
  /**
   * The transaction that marks the entry as handled, where the inbox has one. With it, the receiver writes no mark of its
   * own; without it the receiver marks the event in its store.
   */
  readonly tx: Tx;
  /** Keeps what is known of the subject in the same transaction. @defaultValue the receiver's store */
  readonly store?: Store | undefined;
  /** Marks the entry as handled and commits; called once, under the lock of the subject. */
  readonly commit?: (() => Promise<void>) | undefined;
}

/** An entry that failed as often as it may. It stays until it is run again (gap HOOK-7). */
export interface DeadLetter {
  /** The entry as it came in, its event included. */
  readonly entry: InboxEntry;
  /** How often it was tried. */
  readonly attempts: number;
  /** Message of the last failure. */
  readonly error: string;
}

/** What workers run, and where failures are reported. */
export interface InboxWorker<Tx = undefined> {
  /**
   * Handles an entry; rejects when it has to be tried again. `busy` when somebody else works on its subject: nothing was
   * committed, it is to be handed over again soon, and that was no attempt.
   */
  handle(entry: InboxEntry, attempt: InboxAttempt<Tx>): Promise<'handled' | 'busy'>;
  /** Hears of failures of the inbox itself, such as a lost connection. */
  onError(error: unknown): void;
}

/**
 * Keeps events between their delivery and their handling, so that they survive this process: `bullmqInbox`,
 * `pgBossInbox`, `memoryInbox` (for tests), or one of your own.
 */
export interface Inbox<Tx = undefined> {
  /**
   * Writes an entry, and resolves once it survives the death of this process (gap HOOK-6); rejects when it could not be
   * written.
   * `duplicate` means that the inbox has, or had, an entry of this id.
   */
  write(entry: InboxEntry): Promise<'written' | 'duplicate'>;
  /** Starts to handle entries in this process. */
  start(worker: InboxWorker<Tx>): Promise<void>;
  /** Takes no further entries, and resolves when those under way are done. */
  stop(): Promise<void>;
  /** Entries that failed as often as they may, oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Runs a dead letter again, as if it had never been tried; false when there is none of this id. */
  retry(id: string): Promise<boolean>;
}
