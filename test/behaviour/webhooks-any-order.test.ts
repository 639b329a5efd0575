import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStore } from '../../src/stores/memory.js';
import { createReconciler, createWebhookReceiver } from '../../src/webhooks/index.js';
import {
  AT,
  deliver,
  menuChanged,
  orderCreated,
  type SampleEvent,
  SECRET,
  statusChanged,
  stockUpdated,
} from '../support/records/events.js';
import { LOCATION_ID } from '../support/records/ids.js';
import { StoredRecords } from '../support/service/stored-records.js';
import { VirtualClock } from '../support/virtual-clock.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);

/** Where an order may go from each state; a payment that is declined leads back. */
const NEXT: Record<string, string[]> = {
  'PENDING|PENDING|UNPAID': ['PENDING|PENDING|PROCESSING', 'CANCELLED|CANCELLED|UNPAID'],
  'PENDING|PENDING|PROCESSING': ['PENDING|PENDING|UNPAID', 'CONFIRMED|PENDING|PAID'],
  'CONFIRMED|PENDING|PAID': ['CONFIRMED|IN_PROGRESS|PAID', 'CANCELLED|CANCELLED|PAID'],
  'CONFIRMED|IN_PROGRESS|PAID': ['CONFIRMED|READY_FOR_PICKUP|PAID'],
  'CONFIRMED|READY_FOR_PICKUP|PAID': ['COMPLETED|FULFILLED|PAID'],
  'COMPLETED|FULFILLED|PAID': ['COMPLETED|RETURNED|PAID'],
};

/** An event: its id, and the time that it gives its change. */
interface Told {
  readonly eventId: string;
  readonly told: string;
}

/** The service's side: the truth, and an event for each change of it. */
class World {
  readonly service = new StoredRecords();
  readonly events: SampleEvent[] = [];
  /** How often each state was entered. */
  readonly changes = new Map<string, number>();
  nowMs = Date.parse(AT);
  /** By how much the next event is dated after the record that it tells of. */
  dateAheadMs = 0;

  constructor() {
    for (const item of ['a', 'b']) this.service.item(item, 'IN_STOCK', AT);
  }

  change(kind: number, choice: number, waitMs: number): void {
    this.nowMs += waitMs;
    const at = new Date(this.nowMs).toISOString();
    const told = new Date(this.nowMs + this.dateAheadMs).toISOString();
    const eventId = `evt_${this.events.length}`;
    if (kind < 3) this.#changeOrder(`o${kind}`, choice, at, { eventId, told });
    else if (kind < 5) this.#changeItem(kind === 3 ? 'a' : 'b', choice, at, { eventId, told });
    else this.#changeMenu(choice, at, { eventId, told });
  }

  #changeOrder(id: string, choice: number, at: string, { eventId, told }: Told): void {
    const order = this.service.orders.get(id);
    if (!order) {
      this.service.order(id, 'PENDING|PENDING|UNPAID', at, at);
      this.#record(orderCreated(eventId, { order_id: id, created_at: at }), `${id} created`);
      return;
    }
    const state = `${order.status}|${order.fulfillment_status}|${order.payment_status}`;
    const next = NEXT[state]?.[choice % NEXT[state].length];
    if (!next) return;
    this.service.order(id, next, at, order.created_at);
    this.#record(statusChanged(eventId, state, next, told, id), `${id} ${next}`);
  }

  #changeItem(id: string, choice: number, at: string, { eventId, told }: Told): void {
    const before = this.service.inventory.get(id)!.availability_status;
    const after = ['IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK'][choice % 3]!;
    if (after === before) return;
    this.service.item(id, after, at);
    this.#record(stockUpdated(eventId, [id, before, after, told]), `${id} ${after}`);
  }

  #changeMenu(choice: number, at: string, { eventId, told }: Told): void {
    const hash = `sha256:${choice % 3}`;
    if (hash === this.service.menus.get(LOCATION_ID)!.version_hash) return;
    this.service.menu(hash, at);
    this.#record(menuChanged(eventId, hash, told), `menu ${hash}`);
  }

  #record(event: SampleEvent, change: string): void {
    this.events.push(event);
    this.changes.set(change, (this.changes.get(change) ?? 0) + 1);
  }

  /** What a partner's database must say in the end. */
  truth(): Record<string, string> {
    const truth: Record<string, string> = { menu: this.service.menus.get(LOCATION_ID)!.version_hash };
    for (const [id, order] of this.service.orders) {
      truth[id] = `${order.status}|${order.fulfillment_status}|${order.payment_status}`;
    }
    for (const [id, item] of this.service.inventory) truth[id] = item.availability_status;
    return truth;
  }
}

/** The partner's side: a database that handlers write. It outlives processes. */
class Partner {
  readonly clock = new VirtualClock(Date.parse(AT) - 1000);
  readonly database: Record<string, string> = { menu: 'sha256:a', a: 'IN_STOCK', b: 'IN_STOCK' };
  readonly handled = new Map<string, number>();
  failures = 0;
  readonly #store = memoryStore({ clock: this.clock });
  readonly #world: World;
  readonly #ordering: 'latest' | 'as_delivered';
  receiver!: ReturnType<typeof createWebhookReceiver>;
  reconciler!: ReturnType<typeof createReconciler>;

  constructor(world: World, ordering: 'latest' | 'as_delivered') {
    this.#world = world;
    this.#ordering = ordering;
    this.restart();
  }

  restart(): void {
    const { clock } = this;
    // Deliveries of these stories are repeated for as long as the stories are.
    const rememberMs = 3 * 365 * 86_400_000;
    const options = { secrets: SECRET, store: this.#store, clock, ordering: this.#ordering, rememberMs };
    this.receiver = createWebhookReceiver(options);
    this.receiver.onError(() => {});
    this.receiver.on('order.created', ({ data }) => this.#write(data.order_id, 'PENDING|PENDING|UNPAID', 'created'));
    this.receiver.on('order.status_changed', ({ data }) =>
      this.#write(
        data.order_id,
        `${data.current_status}|${data.current_fulfillment_status}|${data.current_payment_status}`,
      ),
    );
    this.receiver.on('menu.changed', ({ data }) => this.#write('menu', data.version_hash));
    this.receiver.on('stock.updated', ({ data }) => {
      for (const item of data.items) this.#write(item.item_id, item.current_status);
    });
    this.reconciler = createReconciler(this.#world.service.client, this.receiver);
  }

  #write(key: string, state: string, change = state): void {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('database down');
    }
    const name = `${key} ${change}`;
    this.handled.set(name, (this.handled.get(name) ?? 0) + 1);
    if (change === 'created') this.database[key] ??= state;
    else this.database[key] = state;
  }
}

type Step =
  | { readonly do: 'change'; readonly kind: number; readonly choice: number; readonly waitMs: number }
  | { readonly do: 'deliver'; readonly which: number }
  | { readonly do: 'poll' }
  | { readonly do: 'fail' }
  | { readonly do: 'restart' };

const steps = (wait: fc.Arbitrary<number>, maxLength = 60): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('change' as const),
          kind: fc.nat(5),
          choice: fc.nat(5),
          waitMs: wait,
        }),
      },
      { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), which: fc.nat(1000) }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constantFrom('poll' as const, 'fail' as const, 'restart' as const) }),
      },
    ),
    { maxLength },
  );

const someTime = fc.integer({ min: 1, max: 5000 });
/** Several changes may share an instant. */
const someTimeOrNone = fc.oneof({ weight: 4, arbitrary: someTime }, { weight: 1, arbitrary: fc.constant(0) });

async function play(story: readonly Step[], ordering: 'latest' | 'as_delivered', arriving: 'some' | 'all' = 'some') {
  const world = new World();
  const partner = new Partner(world, ordering);
  await partner.reconciler.runOnce();
  for (const step of story) {
    if (step.do === 'change') world.change(step.kind, step.choice, step.waitMs);
    else if (step.do === 'fail') partner.failures += 1;
    else if (step.do === 'restart') partner.restart();
    else {
      // No time passes for the partner without it passing for the service.
      await partner.clock.advance(Math.max(0, world.nowMs - partner.clock.now()));
      if (step.do === 'poll') await partner.reconciler.runOnce();
      else if (world.events.length > 0) await deliver(partner.receiver, world.events[step.which % world.events.length]);
    }
  }
  partner.failures = 0;
  await partner.clock.advance(60_000);
  if (arriving === 'all') for (const event of world.events) await deliver(partner.receiver, event);
  // The last readings: a doubt about two states of one instant takes a second one.
  for (let time = 0; time < 3; time += 1) await partner.reconciler.runOnce();
  return { world, partner };
}

test('however deliveries are lost, repeated and mixed up, the reconciler leaves the state of each event once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(steps(someTimeOrNone), async (story) => {
      const { world, partner } = await play(story, 'latest');

      expect(partner.database).toEqual({ menu: 'sha256:a', ...world.truth() });
    }),
    { numRuns: RUNS },
  );
});

// Changes of one instant are left out here: when their events say nothing of what was before (menu.changed), nobody can
// tell which is the newer, and the reconciler tells of the present state once more.
test('no change is handled twice, whoever tells of it and however often', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps(someTime),
      fc.constantFrom('latest' as const, 'as_delivered' as const),
      async (story, ordering) => {
        const { world, partner } = await play(story, ordering);

        const tooOften = [...partner.handled].filter(([change, times]) => times > (world.changes.get(change) ?? 0));
        expect(tooOften).toEqual([]);
      },
    ),
    { numRuns: RUNS },
  );
});

// A state that came twice between two readings (out, in, out) is told once by the reconciler, which saw the last of it.
test('when every event arrives at last, each change has been handled, and none more often than it happened', async () => {
  await fc.assert(
    fc.asyncProperty(steps(someTime), async (story) => {
      const { world, partner } = await play(story, 'as_delivered', 'all');

      expect([...partner.handled.keys()].sort()).toEqual([...world.changes.keys()].sort());
      const tooOften = [...partner.handled].filter(([change, times]) => times > (world.changes.get(change) ?? 0));
      expect(tooOften).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('without a single delivery the reconciler alone leads to the present state', async () => {
  await fc.assert(
    fc.asyncProperty(steps(someTimeOrNone, 40), async (story) => {
      const { world, partner } = await play(
        story.filter((step) => step.do !== 'deliver'),
        'latest',
      );

      expect(partner.database).toEqual({ menu: 'sha256:a', ...world.truth() });
    }),
    { numRuns: RUNS },
  );
});

/** Steps of the partner's wall clock: NTP, a resumed machine, a clock that was set wrongly. */
const clockSteps = fc.constantFrom(-86_400_000, -3_600_000, -60_000, 0, 0, 60_000, 3_600_000, 86_400_000);
const DAY = 86_400_000;
/** Most changes come within seconds, some weeks later. */
const sometimesLate = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 50, max: 30_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: DAY, max: 20 * DAY }) },
);

test('clocks that disagree, changes that come weeks late and dates that differ by milliseconds change none of that', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps(sometimesLate, 50),
      fc.array(fc.tuple(clockSteps, fc.nat(9)), { minLength: 50, maxLength: 50 }),
      async (story, oddities) => {
        const world = new World();
        const partner = new Partner(world, 'as_delivered');
        await partner.reconciler.runOnce();
        for (const [index, step] of story.entries()) {
          const [stepMs, aheadMs] = oddities[index] as [number, number];
          if (step.do === 'change') {
            // A reconciler that looks at least once a week; orders that it has not seen for four may have been forgotten.
            if (step.waitMs >= DAY) {
              await partner.clock.advance(Math.max(0, world.nowMs - partner.clock.monotonic()) + 1000);
              await partner.reconciler.runOnce();
            }
            world.dateAheadMs = aheadMs;
            world.change(step.kind, step.choice, step.waitMs);
            continue;
          }
          await partner.clock.advance(Math.max(0, world.nowMs - partner.clock.monotonic()));
          partner.clock.step(stepMs);
          if (step.do === 'poll') await partner.reconciler.runOnce();
          else if (step.do === 'restart') partner.restart();
          else if (step.do === 'deliver' && world.events.length > 0) {
            await deliver(partner.receiver, world.events[step.which % world.events.length]);
          }
        }
        // Returns are looked for once a day.
        await partner.clock.advance(Math.max(0, world.nowMs - partner.clock.monotonic()) + 25 * 3_600_000);
        for (let time = 0; time < 3; time += 1) await partner.reconciler.runOnce();

        const tooOften = [...partner.handled].filter(([change, times]) => times > (world.changes.get(change) ?? 0));
        expect(tooOften).toEqual([]);
        expect(missingStates(world, partner)).toEqual([]);
      },
    ),
    { numRuns: RUNS / 2 },
  );
});

/** Present states of which the handlers were never told. */
function missingStates(world: World, partner: Partner): string[] {
  const first: Record<string, string> = { menu: 'sha256:a', a: 'IN_STOCK', b: 'IN_STOCK' };
  return Object.entries(world.truth())
    .filter(([key, state]) => state !== first[key] && state !== 'PENDING|PENDING|UNPAID')
    .map(([key, state]) => `${key} ${state}`)
    .filter((change) => !partner.handled.has(change));
}
