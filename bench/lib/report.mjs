/** The tables of figures: printed, and kept in bench/RESULTS.md with the day, the machine and the versions. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { SQLITE_PACKAGE } from '../../dist/engines/sqlite/sqlite.js';

/** A figure. `wanted` is `{ atLeast }`, `{ atMost }` or null; `note` explains it. */
const verdict = ({ value, wanted }) => {
  if (wanted === null || value === null) return '';
  const holds = wanted.atLeast === undefined ? value <= wanted.atMost : value >= wanted.atLeast;
  return holds ? 'yes' : '**no**';
};

const wantedText = (wanted) => {
  if (wanted === null) return '';
  return wanted.atLeast === undefined ? `at most ${wanted.atMost}` : `at least ${wanted.atLeast}`;
};

const COLUMNS = ['what', 'measured', 'wanted', 'holds', 'how it came about'];

const cellsOf = (row) => [row.what, row.text, wantedText(row.wanted), verdict(row), row.note];

export const markdown = (rows) => {
  const table = [COLUMNS, ...rows.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [
    line(COLUMNS),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...table.slice(1).map(line),
  ].join('\n');
};

export const gitCommit = () => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
};

const sqliteVersion = () =>
  JSON.parse(
    readFileSync(new URL(`../../node_modules/${SQLITE_PACKAGE}/package.json`, import.meta.url), 'utf8'),
  ).version;

const FILE = new URL('../RESULTS.md', import.meta.url);
const HEAD = `# Figures of the benches

As measured by \`npm run bench\`; bench/README.md says how. Each section is the last run of a part at full size. Nothing here is edited by hand.
`;

const keptSections = () =>
  readFileSync(FILE, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), `## ${section.trimEnd()}\n`]);

/** Replaces the section of a part in bench/RESULTS.md. `order`: all parts. */
export const keepSection = (part, rows, { results, seconds, postgres, order }) => {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const versions = [`Node ${process.versions.node}`, `better-sqlite3 ${sqliteVersion()}`];
  if (postgres !== null) versions.push(`PostgreSQL ${postgres}`);
  const section = `## ${part}

${new Date().toISOString().slice(0, 10)}, commit ${gitCommit()}; ${cpus().length} x ${cpu.model.trim()}, ${gigabytes} GB, ${process.platform} ${process.arch}; ${versions.join(', ')}; ${results.toLocaleString('en')} results; each side of a comparison ran ${seconds} s a turn, in turn, medians

${markdown(rows)}
`;
  const sections = new Map([...keptSections(), [part, section]]);
  const texts = order.flatMap((name) => sections.get(name) ?? []);
  writeFileSync(FILE, [HEAD, ...texts].join('\n'));
};
