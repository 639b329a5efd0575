import { received } from '../../shop.mjs';

export const dynamic = 'force-dynamic';
export const GET = () => Response.json(received);
