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
