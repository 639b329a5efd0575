import { isObject } from '../refusals/read-fields.js';
import type { Turn } from './turn.js';

const isRefundOrDeletion = (route: string): boolean =>
  route === 'POST /orders/{order_id}/refunds' || route === 'DELETE /webhooks/{webhook_id}';

export const TURNED_GENERAL = {
  'ERR-1': {
    top_level: {
      envelope: (body) => {
        const { error } = body;
        if (!isObject(error) || error.change_reasons === undefined) return;
        const { change_reasons, ...rest } = error;
        body.error = rest;
        body.change_reasons = change_reasons;
      },
    },
  },
  'ERR-2': {
    'request-id': { requestIdHeader: 'request-id' },
    'x-correlation-id': { requestIdHeader: 'x-correlation-id' },
  },
  'ERR-4': { '405': { methodNotAllowed: true } },
  // What gap REF-7 is about is decided there.
  'ERR-6': { accepted: { withoutKey: (route) => !isRefundOrDeletion(route) } },
  'ERR-8': { executed: { keyPerPath: true } },
  'LIM-2': {
    revoked: {
      reply: {
        'POST /auth/token': ({ access_token }, { state }) => {
          const partnerId = state.tokens.get(String(access_token))?.partnerId;
          for (const [token, record] of state.tokens) {
            if (record.partnerId === partnerId && token !== access_token) state.tokens.delete(token);
          }
          return undefined;
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Turn>>>>;
