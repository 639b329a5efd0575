/** A store in a process of its own, over a socket: one JSON text per line. It can be stopped as any process can. */
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const values = new Map();
const read = (key) => values.get(key) ?? null;
const operations = {
  get: (key) => read(key),
  set: (key, value) => void values.set(key, value),
  setIfAbsent: (key, value) => !values.has(key) && Boolean(values.set(key, value)),
  compareAndSet: (key, expected, value) => read(key) === expected && Boolean(values.set(key, value)),
  compareAndDelete: (key, expected) => read(key) === expected && values.delete(key),
};

const server = createServer((socket) => {
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const { id, operation, given } = JSON.parse(line);
    socket.write(`${JSON.stringify({ id, result: operations[operation](...given) ?? null })}\n`);
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
