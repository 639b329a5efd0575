import { ConfigurationError, RequestValidationError } from '../../errors/local.js';

/** Headers to send, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const UNSAFE_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

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
  'accept-encoding': 'the client asks for plain JSON',
};

/** True when a header can be sent beside those of the client. */
export function isSendable(name: string, value: unknown): boolean {
  return typeof value === 'string' && problemOf(name, value) === undefined;
}

/** Header names in lower case, checked; says what is wrong with the first bad one. */
export function checkedHeaders(
  headers: RequestHeaders | undefined,
  option: 'headers' | 'defaultHeaders',
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const problem = problemOf(name.toLowerCase(), value);
    if (problem !== undefined) {
      const message = `The option "${option}" has a header ${JSON.stringify(name)} that cannot be sent: ${problem}.`;
      throw option === 'headers'
        ? new RequestValidationError(message, { problems: [{ field: name, message: problem }] })
        : new ConfigurationError(message);
    }
    checked[name.toLowerCase()] = value;
  }
  return checked;
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return 'its name has characters that HTTP does not allow';
  if (Object.hasOwn(RESERVED, name)) return RESERVED[name];
  if (typeof value !== 'string') return 'its value is not a text';
  return UNSAFE_VALUE.test(value) ? 'its value has line breaks or other control characters' : undefined;
}
