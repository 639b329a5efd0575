import { useState } from 'preact/hooks';
import { type Delivery, type DeliveryDetails, get, post, short, time } from './api';
import { Body } from './requests';
import { act, useRead } from './state';

export function Webhooks() {
  const all = useRead<Delivery[]>('/deliveries?limit=300', ['webhooks', 'clock']);
  const deliveries = [...(all ?? [])].reverse();
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
      {all?.length === 0 && (
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
            <DeliveryBodies number={one.number} />
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

/** What was sent and what came back, read when it is opened. */
function DeliveryBodies({ number }: { number: number }) {
  const [details, setDetails] = useState<DeliveryDetails>();
  return (
    <details
      onToggle={(event) => {
        if (event.currentTarget.open && !details) act(get<DeliveryDetails>(`/deliveries/${number}`).then(setDetails));
      }}
    >
      <summary>Body and response</summary>
      {details && (
        <>
          <h3>Sent</h3>
          <Body text={details.requestBody} />
          <h3>Response</h3>
          <Body text={responseText(details)} />
        </>
      )}
    </details>
  );
}

function responseText({ status, error, responseHeaders, responseBody }: DeliveryDetails): string {
  const headers = Object.entries(responseHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [status === null ? `no response: ${error}` : `HTTP ${status}`, ...headers, '', responseBody ?? '']
    .join('\n')
    .trimEnd();
}
