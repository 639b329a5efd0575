/** What no engine takes as it is: PostgreSQL refuses NUL, and UTF-8 has no bytes for half a surrogate pair. */
const NOT_STORABLE = /[\0\p{Surrogate}]/u;
/** Begins a text that is stored in another form. */
const ESCAPE = '\u0001';

/** The form in which any text of the language can be stored, and compared: equal texts have equal forms. */
export function toStoredText(text: string): string {
  return NOT_STORABLE.test(text) || text.startsWith(ESCAPE) ? ESCAPE + JSON.stringify(text) : text;
}

export function fromStoredText(stored: string): string {
  return stored.startsWith(ESCAPE) ? (JSON.parse(stored.slice(ESCAPE.length)) as string) : stored;
}
