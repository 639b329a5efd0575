import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { type Finding, ok, skipped, warning, wrong } from './finding.js';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
const FEW_DAYS = 14;

/** Whether the host has an address. */
export async function checkDns(baseUrl: string): Promise<Finding> {
  const { hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return skipped('dns', 'the address names an IP');
  const started = performance.now();
  try {
    const found = await lookup(host, { all: true });
    return ok('dns', `${host} has ${found.length} address${found.length === 1 ? '' : 'es'}`, since(started));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'failed';
    const advice = 'Check the host name for a slip, and whether this machine resolves names of the internet at all.';
    return wrong('dns', 'dns_failed', `${host} was not found (${code})`, advice);
  }
}

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Whether the environment asks for a proxy, which neither the client nor `fetch` uses by itself. */
export function checkProxy(baseUrl: string, environment: NodeJS.ProcessEnv): Finding {
  const variable = PROXY_VARIABLES.find((name) => environment[name]);
  if (variable === undefined) return ok('proxy', 'no proxy is set');
  const { hostname } = new URL(baseUrl);
  const without = (environment.NO_PROXY ?? environment.no_proxy ?? '').split(',').map((name) => name.trim());
  if (without.some((name) => name === '*' || (name !== '' && hostname.endsWith(name.replace(/^\./, ''))))) {
    return ok('proxy', `${variable} is set, and NO_PROXY leaves this host out`);
  }
  return warning(
    'proxy',
    'proxy_not_used',
    `${variable} is set, and neither the client nor this command uses it by itself`,
    'Where only the proxy leads out, give the client `dispatcher: new EnvHttpProxyAgent()` of undici.',
  );
}

/** The certificate: issuer, days left, and whether this machine trusts it. */
export function checkTls(baseUrl: string, nowMs: number): Promise<Finding> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return Promise.resolve(skipped('tls', 'plain http, on this machine'));
  const host = hostname.replace(/^\[|\]$/g, '');
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (finding: Finding): void => {
      socket.destroy();
      resolve(finding);
    };
    const servername = isIP(host) === 0 ? host : undefined;
    const options = { host, port: Number(port || 443), rejectUnauthorized: false, timeout: TIMEOUT_MS };
    const socket = connect({ ...options, ...(servername && { servername }) }, () => {
      const refusal = socket.authorizationError as unknown;
      const code = refusal instanceof Error ? ((refusal as NodeJS.ErrnoException).code ?? refusal.message) : refusal;
      end(
        judge({
          certificate: socket.getPeerCertificate(),
          refusal: code ? String(code) : '',
          nowMs,
          ms: since(started),
        }),
      );
    });
    socket.on('timeout', () => end(unreachable(host, 'no response within 10 s')));
    socket.on('error', (error: NodeJS.ErrnoException) => end(unreachable(host, error.code ?? error.message)));
  });
}

function judge(parts: { certificate: PeerCertificate; refusal: string; nowMs: number; ms: number }): Finding {
  const { certificate, refusal, nowMs, ms } = parts;
  const days = Math.floor((Date.parse(certificate.valid_to) - nowMs) / DAY_MS);
  const issuer = certificate.issuer?.O ?? certificate.issuer?.CN ?? 'an unnamed issuer';
  const found = `certificate of ${String(issuer)}, ${days} days left`;
  if (/SELF_SIGNED/.test(refusal)) {
    return wrong(
      'tls',
      'self_signed_certificate',
      `${found}: self-signed (${refusal}), so that nobody vouches for this host`,
      'A proxy that inspects traffic, or a wrong host? If you trust it, put its certificate into NODE_EXTRA_CA_CERTS. ' +
        'Never switch verification off: the client secret goes over this connection.',
    );
  }
  if (refusal !== '') {
    const advice = 'Check host name and clock; a private issuer belongs into NODE_EXTRA_CA_CERTS.';
    return wrong('tls', 'certificate_refused', `${found}: refused (${refusal})`, advice);
  }
  if (days < FEW_DAYS) return warning('tls', 'certificate_ends_soon', found, 'Tell the support of the service.');
  return ok('tls', found, ms);
}

function unreachable(host: string, why: string): Finding {
  const advice = 'Check the port, the firewall, and whether only a proxy leads out.';
  return wrong('tls', 'connection_failed', `no connection to ${host}: ${why}`, advice);
}

const since = (started: number): number => Math.round(performance.now() - started);
