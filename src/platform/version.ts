/** Version of this package. */
export const VERSION = '0.1.0';

/** Version of the interface document that this package was written from. */
export const INTERFACE_VERSION = '1.0.0';

/** What every request names itself as: `online-ordering-sdk/0.1.0 (node/20.19.0)`. Firewalls refuse requests without a name. */
export const USER_AGENT = `online-ordering-sdk/${VERSION} (${runtimeName()})`;

function runtimeName(): string {
  const { Bun, Deno, navigator, process } = globalThis as {
    Bun?: { version?: string };
    Deno?: { version?: { deno?: string } };
    navigator?: { userAgent?: string };
    process?: { versions?: { node?: string } };
  };
  if (Bun?.version) return `bun/${Bun.version}`;
  if (Deno?.version?.deno) return `deno/${Deno.version.deno}`;
  if (navigator?.userAgent === 'Cloudflare-Workers') return 'workers';
  return process?.versions?.node ? `node/${process.versions.node}` : 'unknown';
}
