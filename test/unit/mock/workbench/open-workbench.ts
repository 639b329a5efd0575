import { request } from 'node:http';
import type { ListenOptions, MockServiceOptions } from 'online-ordering-sdk/mock';
import { type Json, openService } from '../open-service.js';

export interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

/** A service that listens, with its workbench, and a way to ask that. */
export async function openWorkbench(options: MockServiceOptions = {}, listen: ListenOptions = {}) {
  const opened = await openService(options);
  const server = await opened.service.listen({ workbench: true, ...listen });

  /** Over `node:http`, which sends whatever `Host` and `Origin` it is given. */
  const ask = (route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Said> => {
    const [method = '', path = ''] = route.split(' ');
    const type = method === 'POST' ? { 'content-type': 'application/json' } : {};
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: server.port, method, path: `/_mock${path}`, headers: { ...type, ...headers } },
        async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type']?.includes('json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson && text !== '' ? JSON.parse(text) : text,
          });
        },
      );
      sent.once('error', reject);
      sent.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
    });
  };
  return { ...opened, server, ask };
}
