/** What is read of a request of `node:http`, and of the frameworks over it. */
export interface NodeRequest {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether somebody has read from the stream. */
  readonly readableDidRead?: boolean;
  /** What a parser left: Express and others. */
  readonly body?: unknown;
  /** What some hosts keep beside the parsed body. */
  readonly rawBody?: unknown;
  on(event: string, listener: (value?: unknown) => void): unknown;
  resume(): unknown;
}

/** Reads the request to its end; `undefined` when it is longer than allowed, and then the rest is discarded. */
export function readRequest(request: NodeRequest, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const giveUp = (): void => {
      chunks.length = 0;
      resolve(undefined);
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      giveUp();
      request.resume();
      return;
    }
    request.on('data', (value) => {
      const chunk = value as Uint8Array;
      length += chunk.byteLength;
      if (length > maxBytes) giveUp();
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(concatenate(chunks, length)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The sender closed the connection before the body was complete.')));
  });
}

/** Chunks as one run of bytes; a single one is not copied. */
export function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
