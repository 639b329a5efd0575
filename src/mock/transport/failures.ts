interface SystemErrorFacts {
  readonly code: string;
  readonly syscall?: string;
}

const systemError = (message: string, facts: SystemErrorFacts): Error => Object.assign(new Error(message), facts);

// Names, codes and texts are those of node:net and undici: clients tell faults apart by them.

export const connectionRefused = (): Error =>
  systemError('connect ECONNREFUSED 127.0.0.1:443', { code: 'ECONNREFUSED', syscall: 'connect' });

export const connectionReset = (): Error => systemError('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' });

export function connectionClosed(): Error {
  const error = systemError('other side closed', { code: 'UND_ERR_SOCKET' });
  error.name = 'SocketError';
  return error;
}
