import { INTERFACE_VERSION, VERSION } from '../platform/version.js';
import type { Choices, Profile } from '../profile/profile.js';
import { isObject, Wire, type WireCredentials, type WireOptions } from '../wire/wire.js';
import { CART_CHECKS } from './checks/carts.js';
import type { Check } from './checks/check.js';
import { ORDER_CHECKS } from './checks/orders.js';
import { STORE_CHECKS } from './checks/stores.js';
import { decideGaps, profileOf } from './gaps/decide-gaps.js';
import { CannotTry, type CertifyReport, type CheckResult, Differs, type GapResult } from './result.js';
import { Scene, type SceneSettings } from './scene.js';

const CHECKS: readonly Check[] = [...STORE_CHECKS, ...CART_CHECKS, ...ORDER_CHECKS];

export interface CertifyParts extends SceneSettings, WireOptions {
  readonly now?: () => number;
  /** Called with each result as it comes. */
  readonly tell?: (result: GapResult | CheckResult) => void;
}

/** What `certify` found out: the report, and the profile for client and mock. */
export interface Certificate {
  readonly report: CertifyReport;
  readonly profile: Profile;
}

/**
 * Decides the gaps of the interface document at a service, and holds it to the rows that can be reached from outside. It
 * writes: carts, orders, payments, refunds, subscriptions. Use a sandbox.
 *
 * @throws Error when no token is granted.
 */
export async function certify(credentials: WireCredentials, parts: CertifyParts = {}): Promise<Certificate> {
  const { now = Date.now, tell = () => {} } = parts;
  const startedMs = now();
  const wire = new Wire(credentials, parts);
  const granted = await wire.askForToken();
  const token = isObject(granted.data) ? granted.data.access_token : undefined;
  if (typeof token !== 'string') {
    throw new Error(
      `No token was granted (${granted.status || granted.failure}). \`online-ordering-sdk doctor\` says why.`,
    );
  }
  wire.token = token;
  const scene = new Scene(wire, parts);
  const gaps = await decideGaps(scene, tell);
  const checks: CheckResult[] = [];
  for (const check of CHECKS) {
    const result = await runCheck(check, scene, now);
    checks.push(result);
    tell(result);
  }
  const requests = wire.log.length;
  await scene.cleanUp();
  const report: CertifyReport = {
    service: new URL(credentials.baseUrl).origin,
    startedAt: new Date(startedMs).toISOString(),
    seconds: Math.round((now() - startedMs) / 100) / 10,
    packageVersion: VERSION,
    interfaceVersion: INTERFACE_VERSION,
    requests,
    checks,
    gaps: [...gaps].sort((a, b) => compareRows(a.row, b.row)),
  };
  return { report, profile: profileOf(gaps) };
}

async function runCheck({ section, row, run }: Check, scene: Scene, now: () => number): Promise<CheckResult> {
  const [place, startedMs] = [scene.wire.log.length, now()];
  const result = (outcome: CheckResult['outcome'], note: string): CheckResult => {
    const requestIds = scene.requestIdsSince(place);
    return { section, row, outcome, note, requestIds, ms: now() - startedMs };
  };
  try {
    await run(scene);
    return result('holds', '');
  } catch (error) {
    if (error instanceof CannotTry) return result('not_tried', error.message);
    if (error instanceof Differs) return result('differs', error.message);
    // A body of another shape than a row reads is a difference, too.
    return result('differs', `the answer could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `PAY-2` before `PAY-10`. */
export function compareRows(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** The gaps in which the service chose otherwise than this package. */
export const turnedGaps = (gaps: readonly GapResult[]): Choices =>
  Object.fromEntries(
    gaps.filter(({ reading, isOurs }) => reading !== undefined && !isOurs).map(({ row, reading }) => [row, reading]),
  );
