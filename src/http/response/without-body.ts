/**
 * Where transports keep bytes of the response, and the request with its token: undici's parser error quotes what it could
 * not read, and errors of other HTTP clients hold all of both.
 */
const BODY_FIELDS: readonly string[] = ['data', 'body', 'config', 'request', 'response', 'options', 'init', 'headers'];
const DEEPEST = 5;

/**
 * The error of a transport without the request and response that it holds: they show a token or a customer's data, and
 * loggers print the `cause` of an error with it.
 */
export function withoutBody(error: unknown): unknown {
  try {
    return stripped(error, 0);
  } catch {
    return new Error('An error that cannot be read.');
  }
}

function stripped(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return error;
  const cause = depth < DEEPEST ? stripped(error.cause, depth + 1) : undefined;
  const holdsBody = BODY_FIELDS.some((field) => Object.hasOwn(error, field));
  if (!holdsBody && cause === error.cause) return error;

  // A copy of the same class: the error itself belongs to the transport.
  const fields = Object.getOwnPropertyDescriptors(error) as Record<string, PropertyDescriptor>;
  for (const field of BODY_FIELDS) delete fields[field];
  if (Object.hasOwn(fields, 'cause')) fields.cause = { ...hidden, value: cause };
  return Object.create(Object.getPrototypeOf(error), fields);
}

const hidden = { configurable: true, enumerable: false, writable: true };
