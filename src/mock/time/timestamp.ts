import type { Clock } from '../../platform/clock.js';

/** An instant as the service writes it: ISO 8601 in UTC. */
export const timestamp = (epochMs: number): string => new Date(epochMs).toISOString();

export const timestampNow = (clock: Clock): string => timestamp(clock.now());

/** Tuesday, 12:00 in Chicago: where the virtual clock of a new service stands. The sample stores are open. */
export const VIRTUAL_START_MS = Date.UTC(2026, 2, 10, 17, 0, 0);
