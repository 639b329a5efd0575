/**
 * Whether the text of a record has a run that has not ended. Records say so themselves, in `open`; those of format 1
 * are looked through. A text of somebody else is not open.
 */
export function isOpenText(text: string | undefined): boolean {
  // A text of this version ends with it, and is not parsed once more for each write.
  if (text?.endsWith('"open":true}')) return true;
  if (text?.endsWith('"open":false}')) return false;
  const record = fieldsOf(text);
  if (typeof record.open === 'boolean') return record.open;
  if (record.lock !== undefined && record.lock !== null) return true;
  return Array.isArray(record.runs) && record.runs.some((run) => fields(run).ended === false);
}

/** The order that a record belongs to, in the spelling of the call that began it. */
export function orderIdOf(text: string | undefined): string | undefined {
  const { orderId } = fieldsOf(text);
  return typeof orderId === 'string' ? orderId : undefined;
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
