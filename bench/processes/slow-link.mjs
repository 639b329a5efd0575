/**
 * A loopback proxy of 10 Mbit/s and 40 ms: each direction delays every byte by 20 ms, and the way back is as wide as that.
 *
 *   node bench/processes/slow-link.mjs PORT_OF_THE_SERVICE
 */
import { connect, createServer } from 'node:net';

const BYTES_PER_MS = 10_000_000 / 8 / 1000;
const ONE_WAY_MS = 20;
const target = Number(process.argv[2]);

/** Hands chunks on in their order, each after the delay and when the link has room for it. */
function throttled(write) {
  let freeAt = 0;
  return (chunk) => {
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + chunk.length / BYTES_PER_MS;
    setTimeout(() => write(chunk), freeAt - now + ONE_WAY_MS);
  };
}

const proxy = createServer((near) => {
  const far = connect(target, '127.0.0.1');
  near.setNoDelay(true);
  far.setNoDelay(true);
  near.on(
    'data',
    throttled((chunk) => far.write(chunk)),
  );
  far.on(
    'data',
    throttled((chunk) => near.write(chunk)),
  );
  for (const [one, other] of [
    [near, far],
    [far, near],
  ]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
proxy.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: proxy.address().port })}\n`));
