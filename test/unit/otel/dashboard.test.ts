import { readFileSync } from 'node:fs';
import { METRICS } from 'online-ordering-sdk/otel';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Names of a metric in Prometheus, as the exporter of OpenTelemetry makes them. */
function prometheusNames({ name, kind, unit }: (typeof METRICS)[keyof typeof METRICS]): string[] {
  const base = name.replaceAll('.', '_') + (unit === 's' ? '_seconds' : '');
  return kind === 'counter' ? [`${base}_total`] : [`${base}_bucket`, `${base}_count`, `${base}_sum`];
}

describe('the Grafana dashboard', () => {
  const { panels } = JSON.parse(read('examples/observability/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const exported = new Set(Object.values(METRICS).flatMap(prometheusNames));

  test('asks for metrics that exist', () => {
    const asked = queries.flatMap((query) => query.match(/\b(?:http_client|online_ordering)_\w+(?=\[)/g) ?? []);

    expect(asked.filter((name) => !exported.has(name))).toEqual([]);
    expect(asked).toHaveLength(queries.length);
  });

  test('shows every metric', () => {
    const hidden = Object.values(METRICS).filter(
      (metric) => !prometheusNames(metric).some((name) => queries.some((query) => query.includes(name))),
    );

    expect(hidden.map(({ name }) => name)).toEqual([]);
  });
});

test('the guide to observability names every metric with its unit and meaning', () => {
  const guide = read('docs/observability.md');

  for (const { name, unit, description } of Object.values(METRICS)) {
    expect(guide).toContain(`| \`${name}\` | ${unit} | ${description} |`);
  }
});
