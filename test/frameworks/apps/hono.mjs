import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { placeOrder, received, receiver } from './shop.mjs';

const app = new Hono();
app.post('/webhooks', (c) => receiver.fetch(c.req.raw));
app.post('/orders', async (c) => c.json(await placeOrder()));
app.get('/received', (c) => c.json(received));

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
