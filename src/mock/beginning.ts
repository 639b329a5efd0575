import { sleep } from '../platform/clock.js';
import type { BehaviourSwitches } from './behaviour/control.js';
import type { ResolvedOptions } from './options.js';
import { createSamples, type SampleIds } from './samples/index.js';
import { withOwnData } from './samples/own-data.js';
import { restoreState, type Snapshot } from './snapshot/snapshot.js';
import { addPartner, createState } from './state/service-state.js';
import type { ServiceState } from './state/state.js';
import type { Activity } from './time/activity.js';
import type { MockClock } from './time/clock.js';
import type { ServiceTimers } from './time/service-timers.js';
import { timestamp } from './time/timestamp.js';
import { EventLog, type EventLogDeps } from './webhooks/event-log.js';

export interface BeginningDeps {
  readonly options: ResolvedOptions;
  readonly clock: MockClock;
  readonly timers: ServiceTimers;
  readonly activity: Activity;
  readonly behaviour: BehaviourSwitches;
  readonly nextEventId: () => string;
  readonly onEvent: EventLogDeps['onEvent'];
}

/** What a service has when it begins, and after a reset. */
export interface Beginning {
  readonly state: ServiceState;
  readonly events: EventLog;
  readonly ids: SampleIds;
}

/** The sample data, or what a snapshot kept. */
export function beginningOf(
  { options, clock, timers, activity, behaviour, nextEventId, onEvent }: BeginningDeps,
  snapshot: Snapshot | undefined,
): Beginning {
  const { seed, data, enforceTenders, strict, autoAdvanceMs, dialect, keep } = options;
  const startMs = clock.now();
  const samples = withOwnData(createSamples({ seed, startMs }), data, timestamp(startMs));
  const events = new EventLog({ clock: timers, nextId: nextEventId, keep: keep.events, onEvent });
  const state = createState({
    seed,
    samples,
    drawn: snapshot?.drawn,
    clock: timers,
    rules: { enforceTenders, strict, autoAdvanceMs, readings: dialect.choices },
    keep,
    behaviour,
    wait: (delayMs) => activity.outside(() => sleep(clock, delayMs)),
    emit: events.emit.bind(events),
  });
  if (snapshot) {
    restoreState(state, snapshot.state);
    events.restore(snapshot.events);
    return { state, events, ids: samples.ids };
  }
  addPartner(state, state.locations.keys());
  for (const [number, balance] of Object.entries(data?.giftCards ?? {})) {
    state.payments.giftCardBalances.set(number, balance);
  }
  return { state, events, ids: samples.ids };
}
