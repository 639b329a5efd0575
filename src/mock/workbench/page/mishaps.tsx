import { useEffect, useState } from 'preact/hooks';
import { type ClockState, type Delivery, get, post, type Req, remove, short, time } from './api';
import { act, useRead, useStore } from './state';

export function Webhooks() {
  const deliveries = [...(useRead<Delivery[]>('/deliveries', ['webhooks', 'clock']) ?? [])].reverse().slice(0, 300);
  const events =
    useRead<{ event_id: string; event_type: string; created_at: string }[]>('/webhook-events', ['webhooks']) ?? [];
  const [marked, mark] = useState<ReadonlySet<number>>(new Set());
  const chosen = deliveries.filter(({ number }) => marked.has(number)).map(({ number }) => number);
  const again = (options: Record<string, unknown>, numbers = chosen): void =>
    act(post('/deliveries/resend', { numbers, ...options }));
  const delivered = new Set(deliveries.map(({ eventId }) => eventId));
  const kept = events.filter(({ event_id }) => !delivered.has(event_id)).reverse();
  return (
    <div class="panel">
      <div class="tools">
        <button type="button" disabled={chosen.length === 0} onClick={() => again({})}>
          Send again
        </button>
        <button type="button" disabled={chosen.length === 0} onClick={() => again({ times: 2 })}>
          Duplicate
        </button>
        <button
          type="button"
          disabled={deliveries.length < 2}
          onClick={() => again({ shuffle: true }, chosen.length > 1 ? chosen : deliveries.map(({ number }) => number))}
        >
          Shuffle {chosen.length > 1 ? 'chosen' : 'all'}
        </button>
        <span class="quiet" role="status">
          {deliveries.length} deliveries{chosen.length > 0 && `, ${chosen.length} chosen`}
        </span>
      </div>
      {deliveries.length === 0 && (
        <p class="empty">No delivery yet. Subscribe with POST /webhooks, and route its address to your receiver.</p>
      )}
      <ul class="deliveries" aria-label="Deliveries, newest first">
        {deliveries.map((one) => (
          <li key={one.number}>
            <label>
              <input
                type="checkbox"
                aria-label={`Choose delivery ${one.number}`}
                checked={marked.has(one.number)}
                onChange={() => {
                  const next = new Set(marked);
                  if (!next.delete(one.number)) next.add(one.number);
                  mark(next);
                }}
              />
              <b>{one.eventType}</b>
            </label>
            <span class={`status ${one.delivered ? 'good' : 'bad'}`}>{one.status ?? 'no response'}</span>
            <span class="quiet">
              {time(one.at)} · event {short(one.eventId)} · attempt {one.attempt}
              {one.error && ` · ${one.error}`}
            </span>
            <span class="quiet break">
              {one.url} · signature <code>{one.signature}</code>
            </span>
          </li>
        ))}
      </ul>
      {kept.length > 0 && (
        <details>
          <summary>
            Events that were not delivered <span class="quiet">{kept.length}</span>
          </summary>
          <ul class="timeline">
            {kept.slice(0, 200).map((event) => (
              <li key={event.event_id}>
                <span class="quiet">{time(event.created_at)}</span> {event.event_type}{' '}
                <code>{short(event.event_id)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const KINDS: readonly { name: string; fault: Record<string, unknown> }[] = [
  { name: '503 before the work', fault: { status: 503 } },
  { name: '500 after the work', fault: { status: 500, after: 'commit' } },
  { name: '429, retry after 2 s', fault: { status: 429, retryAfterSeconds: 2 } },
  { name: '401', fault: { status: 401 } },
  { name: 'connection reset before the work', fault: { fail: 'socket_reset' } },
  { name: 'connection reset after the work', fault: { fail: 'socket_reset', after: 'commit' } },
  { name: 'connection closed after the work', fault: { fail: 'socket_close', after: 'commit' } },
  { name: 'no response, ever', fault: { fail: 'stall' } },
  { name: '5 s late', fault: { delayMs: 5000 } },
  { name: 'response cut in the middle', fault: { body: 'truncated' } },
  { name: 'response that is no JSON', fault: { body: 'not_json' } },
  { name: 'an HTML page with 502', fault: { status: 502, body: 'html' } },
];

interface Faults {
  waiting: { endpoint: string; fault: Record<string, unknown>; left: number | string }[];
  endpoints: string[];
}

export function FaultsView() {
  const faults = useRead<Faults>('/faults', ['faults']);
  const { requests } = useStore();
  const [endpoint, setEndpoint] = useState('POST /orders/{order_id}/payments');
  const [kind, setKind] = useState(0);
  const [times, setTimes] = useState('1');
  const hits = [...requests.values()]
    .filter(({ fault }) => fault)
    .reverse()
    .slice(0, 50);
  return (
    <div class="panel">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          act(post('/faults', { endpoint, fault: { ...KINDS[kind]!.fault, times: Number(times) } }));
        }}
      >
        <label>
          Endpoint
          <select value={endpoint} onChange={(event) => setEndpoint(event.currentTarget.value)}>
            {faults?.endpoints.map((one) => (
              <option key={one} value={one}>
                {one === '*' ? 'any request' : one}
              </option>
            ))}
          </select>
        </label>
        <label>
          Fault
          <select value={kind} onChange={(event) => setKind(Number(event.currentTarget.value))}>
            {KINDS.map(({ name }, index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Requests
          <input
            type="number"
            min="1"
            max="1000"
            value={times}
            onInput={(event) => setTimes(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          Arm
        </button>
      </form>
      <h3>Armed</h3>
      {faults?.waiting.length === 0 && <p class="quiet">No fault waits for a request.</p>}
      <ul class="timeline" aria-label="Armed faults">
        {faults?.waiting.map((one, index) => (
          <li key={`${index} ${one.endpoint}`}>
            <b>{one.endpoint}</b> <code>{JSON.stringify(one.fault)}</code> <span class="quiet">{one.left} left</span>
          </li>
        ))}
      </ul>
      {(faults?.waiting.length ?? 0) > 0 && (
        <button type="button" onClick={() => act(remove('/faults'))}>
          Disarm all
        </button>
      )}
      <h3>Hit</h3>
      {hits.length === 0 && <p class="quiet">No request has met a fault.</p>}
      <ul class="timeline" aria-label="Requests that met a fault">
        {hits.map((one: Req) => (
          <li key={one.number}>
            <span class="quiet">{time(one.at)}</span> <b>{one.method}</b> <span class="break">{one.path}</span>{' '}
            <span class="status bad">{one.status ?? one.ending}</span> <code>{JSON.stringify(one.fault)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

const STEPS = ['1s', '30s', '5m', '1h', '25h'];

/** Stands in the head of every view: the time decides what the others show. */
export function Clock() {
  const { versions, requests } = useStore();
  const [clock, setClock] = useState<ClockState>();
  const running = clock?.running ?? false;
  const version = `${versions.clock} ${versions.everything} ${versions.webhooks} ${requests.size}`;
  useEffect(() => {
    const read = (): void => act(get<ClockState>('/clock').then(setClock));
    // Many changes in a row are read once.
    const soon = setTimeout(read, 100);
    const timer = running ? setInterval(read, 1000) : undefined;
    return () => {
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [version, running]);
  const move = (path: string, body?: unknown): void => act(post<ClockState>(path, body).then(setClock));
  if (!clock) return null;
  return (
    <fieldset class="clock">
      <legend class="hidden">Clock</legend>
      <output title={clock.now}>
        <span class={`dot ${clock.running ? 'good' : 'wait'}`}>{clock.running ? 'runs' : 'stands'}</span>{' '}
        {clock.now.slice(0, 10)} <b>{clock.now.slice(11, 19)}</b>
      </output>
      <button type="button" class="small" onClick={() => move(clock.running ? '/clock/stop' : '/clock/start')}>
        {clock.running ? 'Stand still' : 'Run'}
      </button>
      {STEPS.map((step) => (
        <button
          type="button"
          class="small"
          key={step}
          aria-label={`Step ${step}`}
          onClick={() => move('/clock/advance', { duration: step })}
        >
          +{step}
        </button>
      ))}
    </fieldset>
  );
}
