import express from 'express5';
import { placeOrder, received, receiver } from './shop.mjs';

const app = express();
// Before any body parser: the signature is over the raw bytes.
app.post('/webhooks', receiver.express);
app.use(express.json());
app.post('/orders', async (_request, response) => {
  response.json(await placeOrder());
});
app.get('/received', (_request, response) => response.json(received));

const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
