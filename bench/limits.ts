/** What the client is to reach, by the table of the bench. */
export interface Goal {
  readonly what: string;
  readonly limit: number | 'stripe';
  /** `ratio`: to the floor in the same run; `every`: of the dearest process; `value`: in the unit of the table. */
  readonly of: 'ratio' | 'every' | 'value';
}

/**
 * What the client may cost, relative to a bare `undici.request` with `JSON.parse` in the same run, everything on by default.
 * `npm run bench -- --check` ends with status 1 when a ratio is above its limit by more than the margin.
 */
export const GOALS: Readonly<Record<string, Goal>> = {
  get: { what: 'GET of an order, CPU', limit: 0.85, of: 'ratio' },
  'get-50': { what: 'GET at 50 in flight, CPU', limit: 0.8, of: 'ratio' },
  post: { what: 'POST of a cart, CPU', limit: 0.95, of: 'ratio' },
  pages: { what: '2,000 orders in pages of 100, CPU, in every process', limit: 1.15, of: 'every' },
  menu: { what: 'menu of 150 KB, CPU, every response checked', limit: 1.1, of: 'ratio' },
  allocated: { what: 'bytes allocated per GET', limit: 0.95, of: 'ratio' },
  resident: { what: 'resident memory over an empty Node after 20,000 GETs, MB', limit: 50, of: 'value' },
  import: { what: 'import, user CPU over an empty Node, ms', limit: 15, of: 'value' },
  first_response: { what: 'first response, wall over an empty Node, ms', limit: 'stripe', of: 'value' },
  'webhook-1k': { what: 'webhook of 1 KB verified', limit: 1.05, of: 'ratio' },
  'webhook-20k': { what: 'webhook of 20 KB verified', limit: 1.05, of: 'ratio' },
};

/** How far a ratio may be above its limit on a machine that others use as well. */
export const MARGIN = 0.15;

/** Figures that no machine changes, as they are at present: one that is above by more than {@link GROWTH} fails CI. */
export const FIXED_LIMITS = {
  'bytes allocated per GET, of those of undici.request': 0.8,
  'files loaded at import': 3,
  'modules of Node loaded at import': 1,
  'files loaded until the first response': 27,
  'files of zod among them': 0,
  'bytes of a bundle with the client, gzipped': 77_500,
} as const;

export type FixedFigure = keyof typeof FIXED_LIMITS;

export const GROWTH = 0.05;
