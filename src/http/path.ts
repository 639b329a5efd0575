import { RequestValidationError } from '../errors/local.js';

export type PathParams = Readonly<Record<string, string>>;

/** Control characters, and both kinds of slash around `.` and `..`, change what a path means, encoded or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const DOT_SEGMENT = /(^|[/\\])\.{1,2}([/\\]|$)/;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Fills a path template with encoded values; a value that would reach another resource is refused. */
export function fillPath(template: string, params: PathParams = {}): string {
  const used = new Set<string>();
  const path = template.replace(PLACEHOLDER, (_match, name: string) => {
    used.add(name);
    return encodeSegment(name, params[name]);
  });
  const unused = Object.keys(params).find((name) => !used.has(name));
  if (unused !== undefined)
    throw refusal(unused, `has no place in the path "${template}"; write {${unused}} where it belongs`);
  return path;
}

/** Refuses a template that could leave the base address, for `client.request`. */
export function checkTemplate(template: unknown): asserts template is string {
  const fixed = typeof template === 'string' ? template.replace(PLACEHOLDER, 'x') : '';
  const isSafe =
    fixed.startsWith('/') && !/[?#%\\\s{}]|\/\//.test(fixed) && !CONTROL.test(fixed) && !DOT_SEGMENT.test(fixed);
  if (isSafe) return;
  throw refusal(
    'path',
    'must be a path below the base address with names in braces, for example "/orders/{order_id}/notes"; ' +
      'values go into "pathParams", the query into "query"',
  );
}

function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string') throw refusal(name, 'is missing; it must be a text');
  if (value === '') throw refusal(name, 'is empty; an empty id would address another resource');
  if (CONTROL.test(value)) throw refusal(name, 'contains a control character');
  if (DOT_SEGMENT.test(value)) throw refusal(name, 'contains "." or ".." as a path segment');
  try {
    return encodeURIComponent(value);
  } catch {
    throw refusal(name, 'is not well-formed Unicode');
  }
}

function refusal(name: string, problem: string): RequestValidationError {
  return new RequestValidationError(`The path value "${name}" ${problem}. Nothing was sent.`, {
    problems: [{ field: name, message: problem }],
  });
}
