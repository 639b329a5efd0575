import type { CertifyReport, CheckResult, GapResult } from '../result.js';
import { escapeXml } from './escape-xml.js';
import { bySection, countsOf, countsText, gapState, OUTCOME_WORDS, summaryOf } from './summary.js';

/** The report as one HTML file without anything from outside, to send to the service's support. */
export function htmlOf(report: CertifyReport): string {
  const { holds, differs, notTried, asChosen, otherwise, undecided } = summaryOf(report);
  const tiles = [
    tile(holds, 'rows hold', 'good'),
    tile(differs, 'differ', differs > 0 ? 'bad' : ''),
    tile(notTried, 'could not be tried', ''),
    tile(asChosen, 'gaps as the package chose', 'good'),
    tile(otherwise, 'gaps otherwise', otherwise > 0 ? 'other' : ''),
    tile(undecided, 'gaps undecided', ''),
  ];
  const facts = [
    ['Service', report.service],
    ['Started', report.startedAt],
    ['Interface document', report.interfaceVersion],
    ['online-ordering-sdk', report.packageVersion],
    ['Requests', `${report.requests} in ${report.seconds} s`],
  ];
  const sections = [...bySection(report.checks)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Certificate of ${escapeXml(report.service)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Certificate of the online ordering interface</h1>
<dl>${facts.map(([name = '', value = '']) => `<div><dt>${escapeXml(name)}</dt><dd>${escapeXml(value)}</dd></div>`).join('')}</dl>
</header>
<ul class="tiles">${tiles.join('')}</ul>
<nav><a href="#gaps">Gaps</a>${sections.map(([name]) => `<a href="#${anchorOf(name)}">${escapeXml(name)}</a>`).join('')}</nav>
<section id="gaps">
<h2>Gaps of the interface document</h2>
<p>Where the interface document is silent: what this service does. <em>Otherwise</em> means that it differs from what the package chooses without a profile.</p>
<table><thead><tr><th>Row</th><th>About</th><th>This service</th><th>State</th><th>Requests</th></tr></thead>
<tbody>${otherwiseFirst(report.gaps).map(gapRow).join('\n')}</tbody></table>
</section>
${sections.map(([name, checks]) => sectionOf(name, checks)).join('\n')}
<footer>Made by <code>online-ordering-sdk certify</code>. Holds no secret, token or customer id.</footer>
</body>
</html>
`;
}

/** What needs a look stands first. */
const otherwiseFirst = (gaps: readonly GapResult[]): GapResult[] => {
  const place = ({ reading, isOurs }: GapResult): number => (isOurs ? 2 : reading === undefined ? 1 : 0);
  return [...gaps].sort((a, b) => place(a) - place(b));
};

/** Names in backticks as code. */
const prose = (text: string): string => escapeXml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const tile = (count: number, words: string, kind: string): string =>
  `<li class="${kind}"><b>${count}</b><span>${words}</span></li>`;

const anchorOf = (name: string): string => name.toLowerCase().replace(/[^a-z]+/g, '-');

const idsOf = (ids: readonly string[]): string => ids.map((id) => `<code>${escapeXml(id)}</code>`).join(' ');

function gapRow(gap: GapResult): string {
  const kind = gap.reading === undefined ? 'untried' : gap.isOurs ? 'good' : 'other';
  const { row, about, note, requestIds } = gap;
  return `<tr class="${kind}"><td><code>${row}</code></td><td>${prose(about)}</td><td>${prose(note)}</td><td><span class="state">${gapState(gap)}</span></td><td class="ids">${idsOf(requestIds)}</td></tr>`;
}

/** What needs a look is open, and stands first in its section. */
function sectionOf(name: string, checks: readonly CheckResult[]): string {
  const rows = worstFirst(checks).map(({ row, outcome, note, requestIds }) => {
    const kind = outcome === 'holds' ? 'good' : outcome === 'differs' ? 'bad' : 'untried';
    return `<tr class="${kind}"><td>${prose(row)}${note ? `<p>${prose(note)}</p>` : ''}</td><td><span class="state">${OUTCOME_WORDS[outcome]}</span></td><td class="ids">${idsOf(requestIds)}</td></tr>`;
  });
  const counts = countsOf(checks);
  const kind = counts.differs > 0 ? 'bad' : counts.holds > 0 ? 'good' : 'untried';
  return `<details id="${anchorOf(name)}" class="${kind}"${counts.differs > 0 ? ' open' : ''}>
<summary><h2>${escapeXml(name)}</h2><span class="state">${countsText(counts)}</span></summary>
<table><thead><tr><th>Row</th><th>Outcome</th><th>Requests</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></details>`;
}

function worstFirst(checks: readonly CheckResult[]): CheckResult[] {
  const place = { differs: 0, holds: 1, not_tried: 2 } as const;
  return [...checks].sort((a, b) => place[a.outcome] - place[b.outcome]);
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6570; --line: #d9dee4; --paper: #ffffff; --tint: #f5f7f9;
  --good: #1a7f45; --bad: #b3261e; --other: #9a5b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa5b1; --line: #333b44; --paper: #14181c;
  --tint: #1c2228; --good: #5fd08b; --bad: #ff8a80; --other: #ffb74d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; } h2 { font-size: 1.15rem; margin: 2.25rem 0 .6rem; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; } dl div { min-width: 8rem; }
dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; list-style: none;
  margin: 1.75rem 0 1rem; padding: 0; }
.tiles li { background: var(--tint); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; }
.tiles b { display: block; font-size: 1.7rem; line-height: 1.2; } .tiles span { color: var(--soft); font-size: .85rem; }
.tiles .good b { color: var(--good); } .tiles .bad b { color: var(--bad); } .tiles .other b { color: var(--other); }
nav { display: flex; flex-wrap: wrap; gap: .35rem 1rem; font-size: .9rem; } nav a { color: inherit; }
details { border-bottom: 1px solid var(--line); } details[open] { padding-bottom: 1rem; }
summary { align-items: baseline; cursor: pointer; display: flex; gap: 1rem; justify-content: space-between; padding: .6rem 0; }
summary::before { color: var(--soft); content: "▸"; } details[open] > summary::before { content: "▾"; }
summary::-webkit-details-marker { display: none; } summary h2 { flex: 1; font-size: 1rem; margin: 0; }
summary .state { font-size: .85rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; color: var(--soft); font-weight: 600; font-size: .8rem; }
th, td { border-bottom: 1px solid var(--line); padding: .45rem .75rem .45rem 0; vertical-align: top; }
td p { margin: .1rem 0 0; color: var(--soft); } td:first-child { overflow-wrap: anywhere; }
.state { white-space: nowrap; font-weight: 600; color: var(--soft); }
tr.good .state, .good > summary .state { color: var(--good); } tr.bad .state, .bad > summary .state { color: var(--bad); }
tr.other .state { color: var(--other); }
code { font: .85em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
td:first-child code { white-space: nowrap; }
.ids { width: 1%; } .ids code { color: var(--soft); display: block; font-size: .72rem; white-space: nowrap; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 46rem) { .ids, th:last-child { display: none; } }
@media print { details::details-content { content-visibility: visible; block-size: auto; } nav { display: none; } body { max-width: none; } }
`;
