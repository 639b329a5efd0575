import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { get, type Req, type ReqDetails, short, time } from './api';
import { asCurl, asSdk } from './copy';
import { act, KEPT, useStore } from './state';

const ROW = 34;
/** Rows drawn beyond those in sight. */
const MARGIN = 12;

function outcome({ status, ending }: Req): string {
  return status === null ? ending : String(status);
}
function tone({ status, ending }: Req): string {
  if (ending === 'under way') return 'wait';
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

function matches(request: Req, text: string, kind: string): boolean {
  if (kind === 'writes' && request.method === 'GET') return false;
  if (kind === 'errors' && request.status !== null && request.status < 400) return false;
  if (kind === 'repeats' && (request.attempt ?? 1) < 2) return false;
  if (kind === 'faults' && !request.fault) return false;
  const all = `${request.method} ${request.path} ${request.idempotencyKey ?? ''} ${outcome(request)}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** A colour of its own for each key, so that the repeats of one are seen as one. */
const hue = (key: string): number => [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);

export function Requests() {
  const { requests } = useStore();
  const [text, setText] = useState('');
  const [kind, setKind] = useState('all');
  const [chosen, setChosen] = useState<number>();
  const [top, setTop] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const all = [...requests.values()].reverse().filter((one) => matches(one, text, kind));
  const repeated = useMemo(
    () => new Set([...requests.values()].flatMap((one) => ((one.attempt ?? 1) > 1 ? [one.idempotencyKey] : []))),
    [requests.size, all[0]?.number],
  );
  const from = Math.max(0, Math.floor(top / ROW) - MARGIN);
  const shown = all.slice(from, from + 60 + MARGIN);
  const at = all.findIndex(({ number }) => number === chosen);
  const active = Math.max(at, 0);
  /** The key of the chosen request: its other attempts are marked. */
  const tiedTo = chosen === undefined ? null : (requests.get(chosen)?.idempotencyKey ?? null);

  const move = (to: number): void => {
    const request = all[Math.max(0, Math.min(all.length - 1, to))];
    if (!request) return;
    setChosen(request.number);
    const box = list.current!;
    const y = all.indexOf(request) * ROW;
    if (y < box.scrollTop) box.scrollTop = y;
    if (y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW - box.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 12,
      PageUp: -12,
      Home: -1e9,
      End: 1e9,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(chosen === undefined ? 0 : active + step);
  };

  return (
    <div class={chosen === undefined ? 'split' : 'split open'}>
      <section aria-label="Requests">
        <div class="tools">
          <input
            type="search"
            aria-label="Filter requests"
            placeholder="Filter: path, key, 422 …"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <select aria-label="Kind of requests" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="all">All</option>
            <option value="writes">Writes</option>
            <option value="errors">Errors</option>
            <option value="repeats">Repeats</option>
            <option value="faults">Met a fault</option>
          </select>
          <span class="quiet" role="status">
            {all.length} of {requests.size >= KEPT ? `the last ${KEPT}` : requests.size}
          </span>
        </div>
        {all.length === 0 && (
          <p class="empty">
            {requests.size === 0
              ? 'No request yet. Point a client at this service, and it shows here.'
              : 'Nothing fits the filter.'}
          </p>
        )}
        <div
          class="list"
          ref={list}
          role="listbox"
          tabIndex={0}
          aria-label="Requests, newest first"
          aria-activedescendant={chosen === undefined ? undefined : `request-${chosen}`}
          onScroll={(event) => setTop(event.currentTarget.scrollTop)}
          onKeyDown={onKeyDown}
        >
          <div style={{ height: `${all.length * ROW}px`, position: 'relative' }}>
            {shown.map((request, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names its active option
              <div
                key={request.number}
                id={`request-${request.number}`}
                role="option"
                aria-selected={request.number === chosen}
                class={tiedTo !== null && request.idempotencyKey === tiedTo ? 'row tied' : 'row'}
                style={{ transform: `translateY(${(from + index) * ROW}px)` }}
                onClick={() => setChosen(request.number)}
                onKeyDown={() => {}}
              >
                <span class="quiet wide">{time(request.at)}</span>
                <b class="method">{request.method}</b>
                <span class="path">{request.path}</span>
                {request.fault && <span class="tag bad">fault</span>}
                {request.replayed && <span class="tag wide">replayed</span>}
                {request.idempotencyKey && repeated.has(request.idempotencyKey) && (
                  <span
                    class="tag key"
                    style={{ '--hue': hue(request.idempotencyKey) }}
                    title={`key ${request.idempotencyKey}`}
                  >
                    <span class="wide">{short(request.idempotencyKey)} </span>#{request.attempt}
                  </span>
                )}
                <span class={`status ${tone(request)}`}>{outcome(request)}</span>
                <span class="quiet num wide">{request.durationMs === null ? '…' : `${request.durationMs} ms`}</span>
              </div>
            ))}
          </div>
        </div>
      </section>
      {chosen !== undefined && (
        <Details
          key={chosen}
          number={chosen}
          settled={requests.get(chosen)?.ending}
          onClose={() => {
            setChosen(undefined);
            list.current?.focus();
          }}
          onKey={(key) => {
            setText(key);
            setKind('all');
          }}
        />
      )}
    </div>
  );
}

interface DetailsProps {
  number: number;
  settled: string | undefined;
  onClose: () => void;
  onKey: (key: string) => void;
}

function Details({ number, settled, onClose, onKey }: DetailsProps) {
  const [details, setDetails] = useState<ReqDetails>();
  const [copied, setCopied] = useState('');
  useEffect(() => act(get<ReqDetails>(`/requests/${number}`).then(setDetails)), [number, settled]);
  if (!details) return <aside class="details" aria-label="Request" />;
  const copy = (what: string, text: string): void =>
    act(navigator.clipboard.writeText(text).then(() => setCopied(what)));
  return (
    <aside
      class="details"
      aria-label={`Request ${number}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header>
        <h2>
          {details.method} <span class="path">{details.path}</span>
        </h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      <p>
        <span class={`status ${tone(details)}`}>{outcome(details)}</span>
        {details.durationMs !== null && <span> {details.durationMs} ms</span>}
        {details.attempt !== null && <span> · attempt {details.attempt}</span>}
        {details.replayed && <span> · response kept under its key</span>}
      </p>
      {details.idempotencyKey && (
        <p>
          Key <code>{details.idempotencyKey}</code>{' '}
          <button type="button" class="small" onClick={() => onKey(details.idempotencyKey!)}>
            Show its requests
          </button>
        </p>
      )}
      {details.fault && (
        <p class="tag bad block">
          Met a fault: <code>{JSON.stringify(details.fault)}</code>
        </p>
      )}
      <p class="buttons">
        <button type="button" onClick={() => copy('curl', asCurl(details, location.origin))}>
          Copy as curl
        </button>
        <button type="button" onClick={() => copy('a line of the SDK', asSdk(details))}>
          Copy as SDK
        </button>
        <span role="status" class="quiet">
          {copied && `Copied ${copied}.`}
        </span>
      </p>
      <h3>Request body</h3>
      <Body text={details.requestBody} />
      <h3>Response body</h3>
      <Body text={details.responseBody} />
      <h3>Headers</h3>
      <Body text={headerLines(details.requestHeaders, details.responseHeaders)} />
    </aside>
  );
}

const headerLines = (sent: Record<string, string>, got: Record<string, string> | null): string =>
  [
    ...Object.entries(sent).map(([name, value]) => `> ${name}: ${value}`),
    ...Object.entries(got ?? {}).map(([name, value]) => `< ${name}: ${value}`),
  ].join('\n');

export function Body({ text }: { text: string | null }) {
  if (!text) return <p class="quiet">none</p>;
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  return <pre tabIndex={0}>{pretty(text)}</pre>;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
