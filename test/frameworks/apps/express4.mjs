import express from 'express4';
import { placeOrder, received, receiver } from './shop.mjs';

const app = express();
// Before any body parser: the signature is over the raw bytes.
app.post('/webhooks', receiver.express);
app.use(express.json());
app.post('/orders', (_request, response, next) => {
  placeOrder().then((order) => response.json(order), next);
});
app.get('/received', (_request, response) => response.json(received));

const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
