import type { RecordedRequest } from '../kernel/request-log.js';
import type { MockService } from '../service.js';
import type { ListeningService } from '../transport/listen.js';
import type { RecordedDelivery } from '../webhooks/deliveries.js';
import type { DeliveryResponse } from '../webhooks/send.js';

/** Where webhooks go, and what they are signed with. */
export interface Forwarded {
  readonly to: string;
  readonly signingSecret: string;
}

type Address = Pick<ListeningService, 'url' | 'workbenchUrl'>;

/** What somebody needs to send a first request, and the values with a meaning. */
export function welcome(
  service: MockService,
  { url, workbenchUrl }: Address,
  { forwarded, stateFile }: { forwarded?: Forwarded | undefined; stateFile?: string | undefined } = {},
): string {
  const { clientId, clientSecret } = service.credentials;
  const { items, promoCodes, customers, instruments } = service.samples;
  return [
    `The online ordering service, in memory. Ctrl-C ends it, and ${stateFile === undefined ? 'forgets everything' : `keeps everything in ${stateFile}`}.`,
    '',
    `ONLINE_ORDERING_BASE_URL=${url}`,
    `ONLINE_ORDERING_CLIENT_ID=${clientId}`,
    `ONLINE_ORDERING_CLIENT_SECRET=${clientSecret}`,
    '',
    ...(workbenchUrl === null ? [] : [`See it at work, and drive it: ${workbenchUrl}`, '']),
    ...(forwarded ? [forwardedLine(forwarded), ''] : []),
    ...table('Locations', namedLocations(service)),
    ...table('Items', [
      ['houseCoffee', items.houseCoffee],
      ['turkeySub', items.turkeySub],
      ['lagerSixPack', items.lagerSixPack],
    ]),
    ...table(
      'Promo codes',
      pairs(promoCodes, ({ effect }) => effect),
    ),
    ...table(
      'Customers',
      pairs(customers, ({ effect }) => effect),
    ),
    ...table(
      'Payment tokens, gift cards, loyalty accounts',
      pairs(instruments, ({ meaning }) => meaning),
    ),
  ].join('\n');
}

export const forwardedLine = ({ to, signingSecret }: Forwarded): string =>
  `Webhooks go to ${to}, signed with ${signingSecret}`;

/** Sample locations by their names in `service.samples`, all others by their own. */
function namedLocations(service: MockService): [string, string][] {
  const samples = Object.entries(service.samples.locations);
  return service.locations.list().map(({ id, name }) => [samples.find(([, one]) => one === id)?.[0] ?? name, id]);
}

/** One attempt to deliver in one line. */
export function deliveryLine({
  at,
  eventType,
  eventId,
  attempt,
  status,
  error,
  hint,
}: Pick<RecordedDelivery, 'at' | 'eventType' | 'eventId' | 'attempt' | 'status' | 'error'> & {
  readonly hint?: string | undefined;
}): string {
  const outcome = status ?? `no response (${printable(error ?? '')}${hint === undefined ? '' : `: ${hint}`})`;
  const remark = status === null || hint === undefined ? '' : `  (${hint})`;
  return `${at.slice(11, 23)}  ${outcome}  webhook ${eventType}  event ${eventId}  attempt ${attempt}${remark}`;
}

/** What a response says of the address, where it seems to be another one than meant. */
export function deliveryHint({ status, error, responseHeaders }: DeliveryResponse): string | undefined {
  if (status === null) return error?.includes('ECONNREFUSED') ? 'nothing listens there' : undefined;
  if (status >= 300 && status < 400) return 'redirects are not followed; give the address that takes the event';
  const type = responseHeaders?.['content-type'] ?? '';
  return /^text\/html\b/i.test(type) ? 'a web page: is this the address of the receiver?' : undefined;
}

/** One request in one line: no token, no query values, no body. */
export function requestLine({ at, method, path, status, idempotencyKey, replayed }: RecordedRequest): string {
  const [withoutQuery = '', query] = path.split('?');
  const names = query === undefined ? '' : `?${[...new URLSearchParams(query).keys()].join('&')}`;
  const key = idempotencyKey === null ? '' : `  key ${idempotencyKey}`;
  const again = replayed ? ' (again)' : '';
  return `${at.slice(11, 23)}  ${status ?? 'no response'}  ${method} ${printable(withoutQuery + names)}${key && printable(key)}${again}`;
}

/** Line breaks and control characters of a sender must not write lines of their own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones to replace
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?').slice(0, 300);

function table(title: string, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), ''];
}

const pairs = <T>(record: Readonly<Record<string, T>>, text: (value: T) => string): [string, string][] =>
  Object.entries(record).map(([name, value]) => [name, text(value)]);
