import { RequestValidationError } from '../../errors/local.js';

/** The values for the names in braces of a path; they are encoded. */
export type PathParams = Readonly<Record<string, string>>;

/** Control characters, and both kinds of slash around `.` and `..`, change what a path means, encoded or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const DOT_SEGMENT = /(^|[/\\])\.{1,2}([/\\]|$)/;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** A template taken apart: the fixed texts, and the name of the value behind each but the last. */
interface Template {
  readonly texts: readonly string[];
  readonly names: readonly string[];
}

const templates = new Map<string, Template>();
/** Templates come from code, so there are few; the limit holds against those built at run time. */
const MOST_TEMPLATES = 500;

/** Fills a path template with encoded values; a value that would reach another resource is refused. */
export function fillPath(template: string, params: PathParams = {}): string {
  const { texts, names } = templateOf(template);
  let path = texts[0] ?? '';
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    path += encodeSegment(name, params[name]) + texts[index + 1];
  }
  for (const name in params) {
    if (!names.includes(name)) {
      throw refusal(name, `has no place in the path "${template}"; write {${name}} where it belongs`);
    }
  }
  return path;
}

function templateOf(template: string): Template {
  const known = templates.get(template);
  if (known) return known;
  const pieces = template.split(PLACEHOLDER);
  const taken = {
    texts: pieces.filter((_piece, index) => index % 2 === 0),
    names: pieces.filter((_piece, index) => index % 2 === 1),
  };
  // Those that come from code are back at their next use.
  if (templates.size >= MOST_TEMPLATES) templates.clear();
  templates.set(template, taken);
  return taken;
}

/** Refuses a template that could leave the base address, for `client.request`. */
export function checkTemplate(template: unknown): asserts template is string {
  const fixed = typeof template === 'string' ? template.replace(PLACEHOLDER, 'x') : '';
  const isSafe =
    fixed.startsWith('/') && !/[?#%\\\s{}]|\/\//.test(fixed) && !CONTROL.test(fixed) && !DOT_SEGMENT.test(fixed);
  if (isSafe) return;
  const problem =
    'must be a path below the base address with names in braces, for example "/orders/{order_id}/notes"; ' +
    'values go into "pathParams", the query into "query"';
  throw new RequestValidationError(`The "path" of the request ${problem}. Nothing was sent.`, {
    problems: [{ field: 'path', message: problem }],
  });
}

/** Letters, digits, hyphens and underscores, as in every UUID, stand for themselves. */
const PLAIN = /^[\w-]+$/;

function encodeSegment(name: string, value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return value;
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
