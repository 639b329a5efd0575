import { receiver } from '../../shop.mjs';

export const POST = (request) => receiver.fetch(request);
