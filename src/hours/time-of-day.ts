const SECONDS_OF_DAY = 86_400;
const TIME_OF_DAY = /^(\d{1,2}):([0-5]\d)$/;

/** Seconds since 00:00 of `HH:MM` (also `24:00`); `undefined` for any other text (gap MENU-14). */
export function parseTimeOfDay(text: unknown): number | undefined {
  const match = typeof text === 'string' ? TIME_OF_DAY.exec(text) : null;
  if (!match) return undefined;
  const seconds = Number(match[1]) * 3600 + Number(match[2]) * 60;
  return seconds <= SECONDS_OF_DAY ? seconds : undefined;
}

/** `HH:MM` of the seconds since 00:00. */
export function formatTimeOfDay(secondOfDay: number): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${pad(Math.floor(secondOfDay / 3600))}:${pad(Math.floor((secondOfDay % 3600) / 60))}`;
}

/** A daily window in seconds since 00:00, start included, end excluded. */
export interface DailyWindow {
  readonly start: number;
  readonly end: number;
}

/** An end that is not after the start belongs to the next day (gap MENU-8, LOC-2). */
export function runsPastMidnight({ start, end }: DailyWindow): boolean {
  return end <= start;
}
