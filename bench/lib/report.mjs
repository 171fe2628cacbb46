/** The table of figures: printed, and kept with the machine, the versions and the day in bench/RESULTS.md. */
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

/** Prints the table, and writes the file after a complete run. */
export const report = (rows, { results, seconds, postgres, keep }) => {
  const table = markdown(rows);
  process.stdout.write(`\n${table}\n`);
  if (!keep) return;
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const text = `# Figures of the benches

As measured by one run of \`npm run bench\`; bench/README.md says how. Nothing here is edited by hand.

- date: ${new Date().toISOString().slice(0, 10)}, commit ${gitCommit()}
- machine: ${cpus().length} x ${cpu.model.trim()}, ${gigabytes} GB, ${process.platform} ${process.arch}
- versions: Node ${process.versions.node}, better-sqlite3 ${sqliteVersion()}, PostgreSQL ${postgres ?? 'not there'}
- world: ${results.toLocaleString('en')} results; each side of a comparison ran ${seconds} s a turn, in turn, medians

${table}
`;
  writeFileSync(new URL('../RESULTS.md', import.meta.url), text);
};
