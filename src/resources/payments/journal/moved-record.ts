/**
 * A record that stands elsewhere now. It is left in the place of a record of release 0.1.0 and holds the record's text:
 * of two processes that move it one succeeds, one that dies meanwhile loses nothing, and an older release that still
 * uses the place finds a format that it refuses.
 */
export function movedText(text: string): string {
  return JSON.stringify({ format: 'moved', record: text });
}

/** The record that a text holds, moved or not. */
export function unmovedText(text: string): string {
  return movedRecord(text) ?? text;
}

export function movedRecord(text: string): string | undefined {
  if (!text.startsWith('{"format":"moved"')) return undefined;
  try {
    const { record } = JSON.parse(text) as { record?: unknown };
    return typeof record === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}
