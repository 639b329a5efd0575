import { ConfigurationError } from '../../../../errors/local.js';
import { newUuid } from '../../../../platform/uuid.js';
import { movedRecord, movedText, unmovedText } from '../moved-record.js';
import { builtin } from '../node-builtin.js';
import { codeOf, flushDirectory, type JournalDirectory } from './journal-directory.js';

/** A record as release 0.1.0 kept it: versions of a file, in the directory itself. */
export interface FormerFile {
  readonly name: string;
  readonly version: number;
  readonly text: string;
  /** It was taken over by this release, which found no log of it yet, or takes it over now. */
  readonly isMoved: boolean;
}

/** Names that release 0.1.0 gave. */
export const FORMER_FILE = /^((?:order|hashed)-[a-z0-9-]+)\.(\d+)\.json$/;
const MOST_READINGS = 5;
/** File systems note times in ticks: what changed within one is noticed by listing again. */
const SETTLED_MS = 2000;

/** The files of release 0.1.0. Their directory is listed when it has changed, and not for each order. */
export class FormerFiles {
  readonly #directory: JournalDirectory;
  #listed: { readonly mtimeNs: bigint; readonly versions: ReadonlyMap<string, number> } | undefined;

  constructor(directory: JournalDirectory) {
    this.#directory = directory;
  }

  async find(orderId: string): Promise<FormerFile | undefined> {
    const versions = await this.#versions();
    if (versions.size === 0) return undefined;
    // It hashed ids in the spelling of the call.
    for (const name of new Set([fileNameOf(orderId.toLowerCase()), fileNameOf(orderId)])) {
      const found = await this.named(name);
      if (found) return found;
    }
    return undefined;
  }

  async named(name: string): Promise<FormerFile | undefined> {
    // A version may be replaced by release 0.1.0 while it is read; the next one is there then.
    for (let readings = 0; readings < MOST_READINGS; readings += 1) {
      const version = (await this.#versions()).get(name);
      if (version === undefined) return undefined;
      try {
        const content = await builtin('node:fs/promises').readFile(this.#pathOf(name, version), 'utf8');
        return { name, version, text: unmovedText(content), isMoved: movedRecord(content) !== undefined };
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        this.#listed = undefined;
      }
    }
    throw new ConfigurationError(
      `The payment journal ${this.#directory.path} names a file of ${name} that cannot be opened: a link that leads ` +
        'nowhere, or a share that is out of date. No payment is sent. Remove the link when the order was not being paid.',
    );
  }

  /** Closes the place for release 0.1.0; false when somebody was faster. */
  async take({ name, version, text, isMoved }: FormerFile): Promise<boolean> {
    if (isMoved) return true;
    const fs = builtin('node:fs/promises');
    const draft = this.#directory.join(`${name}.${newUuid()}.draft`);
    try {
      const handle = await fs.open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(movedText(text), 'utf8');
        await handle.sync();
      } finally {
        await handle.close();
      }
      // Unlike a rename, a link fails when the name is taken.
      await fs.link(draft, this.#pathOf(name, version + 1));
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await fs.rm(draft, { force: true });
    }
    await flushDirectory(this.#directory.path);
    await fs.rm(this.#pathOf(name, version), { force: true });
    return true;
  }

  /** Every record that was not taken over. */
  async *all(): AsyncGenerator<FormerFile> {
    for (const name of (await this.#versions()).keys()) {
      const found = await this.named(name);
      if (found && !found.isMoved) yield found;
    }
  }

  /** Takes the notes of where a record went away, with the record. */
  async remove(name: string): Promise<void> {
    const version = (await this.#versions()).get(name);
    if (version !== undefined) await builtin('node:fs/promises').rm(this.#pathOf(name, version), { force: true });
  }

  async #versions(): Promise<ReadonlyMap<string, number>> {
    const stats = await this.#directory.check();
    if (!stats) return new Map();
    if (this.#listed?.mtimeNs === stats.mtimeNs) return this.#listed.versions;
    const versions = new Map<string, number>();
    for (const file of await builtin('node:fs/promises').readdir(this.#directory.path)) {
      const [, name, digits] = FORMER_FILE.exec(file) ?? [];
      if (name !== undefined) versions.set(name, Math.max(versions.get(name) ?? 0, Number(digits)));
    }
    const isSettled = Date.now() - Number(stats.mtimeMs) > SETTLED_MS;
    this.#listed = isSettled ? { mtimeNs: stats.mtimeNs, versions } : undefined;
    return versions;
  }

  #pathOf(name: string, version: number): string {
    return this.#directory.join(`${name}.${version}.json`);
  }
}

/** Ids that are not lower-case letters, digits and hyphens are hashed: a name must neither leave the directory nor collide. */
export function fileNameOf(orderId: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(orderId)) return `order-${orderId}`;
  return `hashed-${builtin('node:crypto').createHash('sha256').update(orderId).digest('hex')}`;
}
