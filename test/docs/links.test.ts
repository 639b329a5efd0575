import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Folders that a build, an install or a test run makes. */
const MADE = /(^|\/)(node_modules|dist|coverage|artifacts|docs\/api|\.git|\.blocks-[^/]*)\//;
/** Every page of the project; without git, which need not be there. */
const pages = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.md') && !MADE.test(path));

/** The text without code, in which brackets are no links. */
const prose = (text: string): string => text.replace(/^(```+)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '``');

/** The anchors of a page's headings, as GitHub and typedoc make them. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(page, 'utf8').replace(/^(```+)[\s\S]*?^\1/gm, '');
  const headings = [...text.matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, heading]) => slug(heading!));
  const seen = new Map<string, number>();
  return new Set(
    headings.map((heading) => {
      const count = seen.get(heading) ?? 0;
      seen.set(heading, count + 1);
      return count === 0 ? heading : `${heading}-${count}`;
    }),
  );
}

const slug = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

function brokenLinks(page: string): string[] {
  const text = prose(readFileSync(join(root, page), 'utf8'));
  const targets = [...text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map(([, target]) => target!);
  return targets.filter((target) => {
    if (/^[a-z]+:/i.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(root, page) : resolve(root, dirname(page), decodeURIComponent(path));
    if (!existsSync(file)) return true;
    return anchor !== undefined && statSync(file).isFile() && file.endsWith('.md') && !anchorsOf(file).has(anchor);
  });
}

describe('Every link of the documentation leads somewhere', () => {
  test.each(pages)('%s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });
});

test('docs/README.md names every page', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const own = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');

  expect(own.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([]);
});
