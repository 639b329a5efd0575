import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compiledChecks as sourceOfChecks } from '../../../../build/contract-checks.js';
import type { Schema } from '../../../../build/zod-definition.js';
import { type OperationName, operations } from '../../../../src/contract/index.js';
import { hasNewValues, runCheck } from '../../../../src/http/contract/check-parts.js';
import { compiledChecks } from '../../../../src/http/contract/compiled-checks.js';
import { remarksOn } from '../../../../src/http/drift/remarks.js';
import { Draw } from '../../../support/draw-schema.js';

const FILE = new URL('../../../../src/http/contract/compiled-checks.ts', import.meta.url);

test('the compiled checks are those of the schemas; `npm run compile:contract` makes them again', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(sourceOfChecks());
});

const bodies = (Object.keys(operations) as OperationName[]).flatMap((name) => {
  const { request, response } = operations[name];
  return [
    ...(request ? [[`the request of ${name}`, request(), compiledChecks[name].request, name, false] as const] : []),
    ...(response
      ? [
          [
            `the response of ${name}`,
            response(),
            compiledChecks[name].response,
            name,
            name !== 'POST /auth/token',
          ] as const,
        ]
      : []),
  ];
});

/** Whether the table of remarks finds values that this version does not know. */
function isNew(operation: OperationName, data: unknown): boolean {
  return remarksOn(operation, { data, mayHaveNewValues: true }).some(({ kind }) => kind === 'new_value');
}

/** Of each body, that many fitting ones are drawn, and each is changed in that many ways. */
const DRAWN = 40;
const CHANGED = 15;

describe.each(bodies)('%s', (_name, schema, check, operation, isRemarked) => {
  test('has a compiled check that agrees with its schema on drawn bodies, and notes the values that are new in them', () => {
    const draw = new Draw(1_000_003);
    const disagreed: unknown[] = [];
    const unnoted: unknown[] = [];
    let fitting = 0;
    let differing = 0;
    const compare = (body: unknown): void => {
      const fits = schema.safeParse(body).success;
      if (fits) fitting += 1;
      else differing += 1;
      if (!check || runCheck(check, body) !== fits) disagreed.push(body);
      if (fits && isRemarked && hasNewValues() !== isNew(operation, body)) unnoted.push(body);
    };

    for (let count = 0; count < DRAWN; count += 1) {
      const body = draw.value(schema as unknown as Schema);
      expect(schema.safeParse(body).success, JSON.stringify(body)).toBe(true);
      compare(body);
      for (let change = 0; change < CHANGED; change += 1) {
        const once = draw.changed(body);
        compare(once);
        compare(draw.changed(once));
      }
    }

    expect(disagreed.slice(0, 3)).toEqual([]);
    expect(unnoted.slice(0, 3)).toEqual([]);
    expect(Math.min(fitting, differing)).toBeGreaterThan(DRAWN / 2);
  });
});
