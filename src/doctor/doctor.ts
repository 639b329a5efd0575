import { VERSION } from '../platform/version.js';
import type { Choices } from '../profile/profile.js';
import { Wire } from '../wire/wire.js';
import { exitCodeOf, type Finding, skipped } from './finding.js';
import { checkDns, checkProxy, checkTls } from './network.js';
import { checkReads, type Difference } from './reads.js';
import { checkAddress, checkCredentials, checkSettings, checkVersions, type Settings } from './settings.js';
import { checkClock, checkResponder, checkToken } from './token.js';

export interface DoctorReport {
  /** 0: all is well; 1: something deserves a look; 2: something is wrong. */
  readonly exitCode: 0 | 1 | 2;
  readonly findings: readonly Finding[];
  /** Where records differ from the contract. */
  readonly differences: readonly Difference[];
}

export interface DoctorDeps {
  readonly environment?: NodeJS.ProcessEnv;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
  readonly choices?: Choices | undefined;
  /** Called with each finding as it is made. */
  readonly tell?: (finding: Finding) => void;
}

/** Looks at everything between this machine and a partner's data, in order; reads only, and asks for one token. */
export async function examine(settings: Settings, deps: DoctorDeps = {}): Promise<DoctorReport> {
  const { environment = process.env, now = Date.now, fetch, choices, tell = () => {} } = deps;
  const findings: Finding[] = [];
  let differences: readonly Difference[] = [];
  const add = (...found: readonly Finding[]): void => {
    for (const finding of found) {
      findings.push(finding);
      tell(finding);
    }
  };
  const report = (): DoctorReport => ({ exitCode: exitCodeOf(findings), findings, differences });
  const isStuck = (): boolean => findings.some(({ verdict }) => verdict === 'wrong');
  const stop = (): DoctorReport => {
    add(skipped('the rest', 'not tried before this is right'));
    return report();
  };

  add(checkVersions(process.version, VERSION), ...checkSettings(settings));
  const { baseUrl, clientId, clientSecret, otherBaseUrl } = settings;
  if (baseUrl) add(checkAddress(baseUrl));
  if (clientId && clientSecret) add(checkCredentials(clientId, clientSecret));
  if (!baseUrl || !clientId || !clientSecret || isStuck()) return stop();

  add(await checkDns(baseUrl), checkProxy(baseUrl, environment));
  if (isStuck()) return stop();
  add(await checkTls(baseUrl, now()));
  if (isStuck()) return stop();

  const wireAt = (address: string): Wire =>
    new Wire({ baseUrl: address.replace(/\/+$/, ''), clientId, clientSecret }, { fetch });
  const wire = wireAt(baseUrl);
  const response = await wire.askForToken();
  const stranger = checkResponder(response);
  if (stranger) {
    add(stranger);
    return stop();
  }
  add(checkClock(response, now()));
  add(await checkToken(wire, response, otherBaseUrl ? wireAt(otherBaseUrl) : undefined));
  if (wire.token === undefined) return stop();

  const reads = await checkReads(wire, choices);
  differences = reads.differences;
  add(...reads.findings);
  return report();
}
