import { orderSchema } from 'online-ordering-sdk/contract';

export const schema = orderSchema();
