import type { buildConnector } from 'undici';

/** As far as a socket on its way is touched. */
interface ConnectingSocket {
  destroy(reason: Error): unknown;
}

/**
 * The sockets that are being connected. undici goes on connecting for ten seconds when the host does not respond, though the
 * attempt may have ended long before; and a process lives as long as that.
 */
export class Connecting {
  readonly #sockets = new Set<ConnectingSocket>();

  /** A connector that does what the given one does, and is watched meanwhile. */
  watching(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      let socket: unknown;
      const done: typeof callback = (...result) => {
        this.#sockets.delete(socket as ConnectingSocket);
        callback(...result);
      };
      socket = connect(options, done);
      if (isSocket(socket)) this.#sockets.add(socket);
    };
  }

  /** Gives up all of them: no attempt waits for one. */
  end(): void {
    // Nearly always; to clear a Set makes new tables for it, which costs a hundredth of a call.
    if (this.#sockets.size === 0) return;
    for (const socket of this.#sockets) {
      // With an error, or undici would go on waiting for the socket.
      socket.destroy(Object.assign(new Error('No attempt waits for this connection.'), { code: 'ECONNABORTED' }));
    }
    this.#sockets.clear();
  }
}

/** undici's own connector returns the socket, though its types do not say so. */
function isSocket(socket: unknown): socket is ConnectingSocket {
  return typeof (socket as Partial<ConnectingSocket> | undefined)?.destroy === 'function';
}
