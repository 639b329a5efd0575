import { INTERFACE_VERSION, VERSION } from '../platform/version.js';
import type { Choices, Profile } from '../profile/profile.js';
import { isObject, Wire, type WireCredentials, type WireOptions } from '../wire/wire.js';
import { decideGaps, profileOf } from './gaps/decide-gaps.js';
import type { CertifyReport, CheckResult, GapResult } from './result.js';
import { Scene, type SceneSettings } from './scene.js';
import { runSuite } from './suite/run-suite.js';

export interface CertifyDeps extends SceneSettings, WireOptions {
  readonly now?: () => number;
  /** `false` decides the gaps alone, which takes a tenth of the requests. */
  readonly rows?: boolean;
  /** Tries the rows of sections that begin so alone: `Cart rules`. */
  readonly only?: readonly string[] | undefined;
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
export async function certify(credentials: WireCredentials, deps: CertifyDeps = {}): Promise<Certificate> {
  const { now = Date.now, tell = () => {} } = deps;
  const startedMs = now();
  const wire = new Wire(credentials, deps);
  const granted = await wire.askForToken();
  const token = isObject(granted.data) ? granted.data.access_token : undefined;
  if (typeof token !== 'string') {
    throw new Error(
      `No token was granted (${granted.status || granted.failure}). \`online-ordering-sdk doctor\` says why.`,
    );
  }
  wire.useToken(token);
  const scene = new Scene(wire, deps);
  const gaps = await decideGaps(scene, tell);
  const checks = deps.rows === false ? [] : await runSuite(scene, { now, tell, only: deps.only });
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

/** `PAY-2` before `PAY-10`. */
export function compareRows(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** The gaps in which the service chose otherwise than this package. */
export const turnedGaps = (gaps: readonly GapResult[]): Choices =>
  Object.fromEntries(
    gaps.filter(({ reading, isOurs }) => reading !== undefined && !isOurs).map(({ row, reading }) => [row, reading]),
  );
