import { placeOrder } from '../../shop.mjs';

export const POST = async () => Response.json(await placeOrder());
