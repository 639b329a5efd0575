import Fastify from 'fastify';
import { placeOrder, received, receiver } from './shop.mjs';

const app = Fastify();
// A plugin of its own: all other routes keep their parsers.
app.register(receiver.fastify, { url: '/webhooks' });
app.post('/orders', () => placeOrder());
app.get('/received', () => received);

console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
