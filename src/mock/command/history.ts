import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { newUuid } from '../../platform/uuid.js';

/** An event that was sent to a receiver. */
export interface Sent {
  readonly id: string;
  readonly to: string;
  readonly body: string;
  /** What it was signed with, where that was a secret of the mock service; it is no secret of anybody else. */
  readonly secret?: string | undefined;
}

const REMEMBERED = 100;

/** The latest events that `hooks send` sent, and `mock --forward-to` forwarded. */
export const historyFile = (): string => join(tmpdir(), `online-ordering-hooks-${userInfo().uid}.json`);

export async function readHistory(file: string): Promise<readonly Sent[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Sent[];
  } catch {
    return [];
  }
}

/** Keeps what was sent, in place of what the same event was before. */
export async function remember(file: string, sent: Sent): Promise<void> {
  const history = await readHistory(file);
  const kept = [...history.filter(({ id }) => id !== sent.id), sent].slice(-REMEMBERED);
  const draft = `${file}.${newUuid()}`;
  await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
  await rename(draft, file);
}
