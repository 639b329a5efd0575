/**
 * What the client may cost, relative to a bare `undici.request` with `JSON.parse` in the same run. `npm run bench --
 * --check` ends with status 1 when a figure is above its limit by more than the margin.
 */
export const RATIO_LIMITS: Readonly<Record<string, number>> = {
  get: 0.85,
  'get-50': 0.8,
  post: 0.95,
  pages: 1.15,
  menu: 1.1,
  allocated: 0.95,
  'webhook-1k': 1.05,
  'webhook-20k': 1.05,
};

/** How far a ratio may be above its limit on a machine that others use as well. */
export const MARGIN = 0.15;

/** Figures that no machine changes, as they are at present: one that is above by more than {@link GROWTH} fails CI. */
export const FIXED_LIMITS = {
  'bytes allocated per GET, of those of undici.request': 0.86,
  'files loaded at import': 17,
  'modules of Node loaded at import': 1,
  'files loaded until the first response': 41,
  'files of zod among them': 0,
  'bytes of a bundle with the client, gzipped': 75_500,
} as const;

export type FixedFigure = keyof typeof FIXED_LIMITS;

export const GROWTH = 0.05;
