import { useState } from 'preact/hooks';
import { post, type Req, remove, time } from './api';
import { act, useRead, useStore } from './state';

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

/** Kinds whose particulars are typed in. */
const ERROR = 'an error of your own';
const DRIFT = 'a response with other fields';
const CODES = [
  'INVALID_REQUEST_ERROR',
  'CONFLICT_ERROR',
  'NOT_FOUND_ERROR',
  'AUTHENTICATION_ERROR',
  'RATE_LIMIT_ERROR',
  'INTERNAL_ERROR',
];

interface Typed {
  status: string;
  code: string;
  message: string;
  field: string;
  set: string;
  remove: string;
}

/** The fault of what was typed in. @throws Error in words when it is no JSON. */
function typedFault(kind: string, { status, code, message, field, set, remove: removed }: Typed) {
  if (kind === ERROR) return { status: Number(status), code, ...(message && { message }), ...(field && { field }) };
  const paths = removed.split(/[\s,]+/).filter(Boolean);
  return { ...(set.trim() && { set: parsed(set) }), ...(paths.length > 0 && { remove: paths }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('Fields that are others: write JSON, such as { "status": "ON_HOLD", "data[*].total": "9.99" }.');
  }
}

interface Faults {
  waiting: { endpoint: string; fault: Record<string, unknown>; left: number | string }[];
  endpoints: string[];
}

export function FaultsView() {
  const faults = useRead<Faults>('/faults', ['faults']);
  const { requests } = useStore();
  const [endpoint, setEndpoint] = useState('POST /orders/{order_id}/payments');
  const [kind, setKind] = useState(KINDS[0]!.name);
  const [typed, setTyped] = useState<Typed>({
    status: '422',
    code: CODES[0]!,
    message: '',
    field: '',
    set: '',
    remove: '',
  });
  const type = (name: keyof Typed) => (event: { currentTarget: { value: string } }) =>
    setTyped({ ...typed, [name]: event.currentTarget.value });
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
          const arm = async () => {
            const known = KINDS.find(({ name }) => name === kind)?.fault;
            await post('/faults', { endpoint, fault: { ...(known ?? typedFault(kind, typed)), times: Number(times) } });
          };
          act(arm());
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
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {[...KINDS.map(({ name }) => name), ERROR, DRIFT].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {kind === ERROR && (
          <>
            <label>
              Status
              <input type="number" min="400" max="599" value={typed.status} onInput={type('status')} />
            </label>
            <label>
              Code
              <select value={typed.code} onChange={type('code')}>
                {CODES.map((code) => (
                  <option key={code}>{code}</option>
                ))}
              </select>
            </label>
            <label>
              Message
              <input value={typed.message} onInput={type('message')} placeholder="Payment declined" />
            </label>
            <label>
              Field
              <input value={typed.field} onInput={type('field')} placeholder="modifier_selections[0]" />
            </label>
          </>
        )}
        {kind === DRIFT && (
          <>
            <label class="wide-field">
              Fields that are others, as JSON
              <textarea value={typed.set} onInput={type('set')} placeholder='{ "status": "ON_HOLD" }' />
            </label>
            <label class="wide-field">
              Fields that are missing
              <input value={typed.remove} onInput={type('remove')} placeholder="payments[0].status, total" />
            </label>
          </>
        )}
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
