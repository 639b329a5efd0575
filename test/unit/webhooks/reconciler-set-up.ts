import { memoryStore } from '../../../src/stores/memory.js';
import {
  createReconciler,
  createWebhookReceiver,
  type ReconcilerOptions,
  type WebhookReceiverOptions,
} from '../../../src/webhooks/index.js';
import { AT, SECRET } from '../../support/records/events.js';
import { StoredRecords } from '../../support/service/stored-records.js';
import { VirtualClock } from '../../support/virtual-clock.js';

/** A service, and receivers with reconcilers that share a store; `seen` tells what handlers got. */
export function setUp(options: Partial<WebhookReceiverOptions> = {}) {
  const clock = new VirtualClock(Date.parse(AT) - 60_000);
  const store = memoryStore({ clock });
  const service = new StoredRecords();
  const seen: string[] = [];
  const errors: unknown[] = [];
  const start = (more: ReconcilerOptions = {}) => {
    const receiver = createWebhookReceiver({ secrets: SECRET, store, clock, ...options });
    receiver.onError((error) => errors.push(error));
    receiver.onAny((event, { source }) => {
      const by = source === 'webhook' ? 'w' : 'r';
      if (!event.known) return;
      const { event_type: type, data } = event;
      if (type === 'order.status_changed') {
        seen.push(`${by} ${data.current_status}|${data.current_fulfillment_status}|${data.current_payment_status}`);
      } else if (type === 'stock.updated') {
        seen.push(`${by} ${data.items.map((item) => `${item.item_id} ${item.current_status}`).join(', ')}`);
      } else if (type === 'menu.changed') seen.push(`${by} ${data.version_hash}`);
      else seen.push(`${by} ${type}`);
    });
    return { receiver, reconciler: createReconciler(service.client, receiver, { random: () => 0.5, ...more }) };
  };
  return { clock, store, service, seen, errors, start, ...start() };
}

/** A reconciler that has had its first look, and a clock after all events of the test. */
export async function afterFirstLook(
  options: Partial<WebhookReceiverOptions> = {},
  prepare?: (service: StoredRecords) => void,
) {
  const all = setUp(options);
  prepare?.(all.service);
  await all.reconciler.runOnce();
  await all.clock.advance(3_600_000);
  return all;
}
