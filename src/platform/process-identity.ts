import { nodeBuiltin } from './node-builtin.js';

/** Names one process among all that ever ran, as far as this system tells. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Which start of which machine; only with all three can a death be proven. */
  readonly boot?: string | undefined;
  /** Whose process numbers `pid` is one of: containers count their own. */
  readonly pidNamespace?: string | undefined;
  /** When it started, in ticks since the boot: numbers are used again. */
  readonly startTime?: string | undefined;
}

/** This process, read once. */
export function thisProcess(): ProcessIdentity {
  self ??= identify();
  return self;
}
let self: ProcessIdentity | undefined;

function identify(): ProcessIdentity {
  const host = nodeBuiltin('node:os')?.hostname() ?? '';
  const pid = typeof process === 'undefined' ? 0 : (process.pid ?? 0);
  return { host, pid, ...provable(pid) };
}

function provable(pid: number): Partial<ProcessIdentity> {
  const fs = nodeBuiltin('node:fs');
  if (!fs) return {};
  try {
    // A /proc of another namespace shows other processes under these numbers.
    if (fs.readlinkSync('/proc/self') !== String(pid)) return {};
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Start times are counted in the time namespace of their reader.
    const pidNamespace = `${fs.readlinkSync('/proc/self/ns/pid')} ${timeNamespace()}`;
    const startTime = stateOf(pid)?.startTime;
    return startTime === undefined ? {} : { boot, pidNamespace, startTime };
  } catch {
    return {};
  }
}

function timeNamespace(): string {
  try {
    return nodeBuiltin('node:fs')?.readlinkSync('/proc/self/ns/time') ?? '';
  } catch {
    return '';
  }
}

/**
 * True only where the system proves that the process has ended: the same boot, the same namespace of process numbers,
 * and no process of that number with that start time. A host name and a number alone are no proof: containers share both.
 */
export function hasProvablyEnded(other: ProcessIdentity, here = thisProcess()): boolean {
  if (!here.boot || !here.pidNamespace || !here.startTime || !other.startTime) return false;
  if (other.boot !== here.boot || other.pidNamespace !== here.pidNamespace || other.host !== here.host) return false;
  const found = stateOf(other.pid);
  if (found) return found.startTime !== other.startTime || found.hasEnded;
  return isUnknownNumber(other.pid);
}

interface ProcessState {
  readonly startTime: string;
  /** Ended, and its parent has not noticed. */
  readonly hasEnded: boolean;
}

function stateOf(pid: number): ProcessState | undefined {
  try {
    const text = nodeBuiltin('node:fs')?.readFileSync(`/proc/${pid}/stat`, 'utf8') ?? '';
    // The second field is the program's name, which may hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = '', startTime] = [fields[0], fields[19]];
    return startTime === undefined ? undefined : { startTime, hasEnded: state === 'Z' || state === 'X' };
  } catch {
    return undefined;
  }
}

/** A mount of /proc may hide the processes of others; the kernel still knows their numbers. */
function isUnknownNumber(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
