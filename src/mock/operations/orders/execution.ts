import type { OrderRecord, ServiceState } from '../../state/state.js';

/** Waits as long as a payment or a refund executes; at once for a kind service (gap PAY-16). */
export async function authorization(state: ServiceState, record: OrderRecord): Promise<void> {
  const delayMs = state.behaviour.draw('authorizationMs');
  if (delayMs === 0) return;
  record.executing += 1;
  await state.wait(delayMs).finally(() => {
    record.executing -= 1;
  });
}

/** Whether a payment of this key was begun before, and such a one is declined (gap PAY-19). */
export function isDuplicate(state: ServiceState, record: OrderRecord, idempotencyKey: string | null): boolean {
  if (idempotencyKey === null) return false;
  const key = idempotencyKey.toLowerCase();
  const wasBegun = record.begunKeys.has(key);
  record.begunKeys.add(key);
  return wasBegun && state.behaviour.current.duplicates === 'decline';
}
