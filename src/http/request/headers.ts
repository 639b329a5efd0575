import { ConfigurationError, RequestValidationError } from '../../errors/local.js';
import { USER_AGENT } from '../../platform/version.js';

/** Headers to send, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;
const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

/** What the way of a request sets itself, with what to use instead. */
const RESERVED: Readonly<Record<string, string>> = {
  authorization: 'the client sends its own token',
  'idempotency-key': 'use the option "idempotencyKey"',
  host: 'use the option "baseUrl"',
  'content-length': 'the client counts the body itself',
  'transfer-encoding': 'the client frames the body itself',
  connection: 'use the option "dispatcher"',
  'keep-alive': 'use the option "dispatcher"',
  upgrade: 'the client speaks plain HTTP',
  expect: 'the client sends the body at once',
  accept: 'the client asks for JSON',
  'accept-encoding': 'the client decides what is worth compressing',
  'content-type': 'the client sends JSON',
};

/** True when a header can be sent beside those of the client. */
export function isSendable(name: string, value: unknown): boolean {
  return typeof value === 'string' && problemOf(name, value) === undefined;
}

/** What every request carries. */
export function ownHeaders(): Record<string, string> {
  return { 'user-agent': USER_AGENT };
}

/** Header names in lower case, checked; says what is wrong with the first bad one. */
export function checkedHeaders(
  headers: RequestHeaders | undefined,
  option: 'headers' | 'defaultHeaders',
): Record<string, string> {
  if (headers !== undefined && !isPlainObject(headers)) {
    throw refusal(
      option,
      `The option "${option}" is not a plain object; write for example { 'x-trace': 'abc' }, or Object.fromEntries(headers).`,
      null,
    );
  }
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const problem = problemOf(name.toLowerCase(), value);
    if (problem !== undefined) {
      const message = `The option "${option}" has a header ${JSON.stringify(name)} that cannot be sent: ${problem}.`;
      throw refusal(option, message, name);
    }
    checked[name.toLowerCase()] = value;
  }
  const agent = checked['user-agent'];
  if (agent !== undefined) checked['user-agent'] = `${agent} ${USER_AGENT}`;
  return checked;
}

/** A `Headers` or a `Map` has no properties of its own: its fields would not be sent. */
function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(Symbol.iterator in value);
}

function refusal(option: 'headers' | 'defaultHeaders', message: string, field: string | null): Error {
  return option === 'headers'
    ? new RequestValidationError(message, { problems: [{ field, message }] })
    : new ConfigurationError(message);
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return 'its name has characters that HTTP does not allow';
  if (Object.hasOwn(RESERVED, name)) return RESERVED[name];
  if (typeof value !== 'string') return 'its value is not a text';
  if (CONTROL.test(value)) return 'its value has line breaks or other control characters';
  return BEYOND_LATIN_1.test(value)
    ? 'its value has characters beyond Latin-1, which HTTP cannot carry; encode them, for example with encodeURIComponent'
    : undefined;
}
