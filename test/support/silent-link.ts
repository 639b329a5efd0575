import { createConnection, createServer, type Socket } from 'node:net';

/** A way to a server that can fall silent, as a firewall does that has forgotten a connection: nobody is told. */
export interface SilentLink {
  /** The address of the server, by way of the link. */
  readonly url: string;
  /** Connections that are open carry nothing any more, and stay open; new ones work. */
  silence(): void;
  close(): Promise<void>;
}

export async function silentLink(serverUrl: string): Promise<SilentLink> {
  const target = new URL(serverUrl);
  const open = new Set<readonly [Socket, Socket]>();
  const proxy = createServer((near) => {
    const far = createConnection(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    open.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        open.delete(pair);
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  return {
    url: Object.assign(new URL(serverUrl), { port: String(port) }).href,
    silence() {
      for (const pair of open) {
        for (const socket of pair) {
          socket.unpipe();
          // What arrives is taken, and goes nowhere.
          socket.resume();
        }
      }
    },
    async close() {
      for (const [near, far] of open) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
