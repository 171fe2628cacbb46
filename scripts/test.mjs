/**
 * `npm test`: installs what is missing, checks types and style, builds, and runs every kind of test, the
 * fastest first. A failing part does not stop the others. The last lines name the engines, and what could not
 * run on which. The very last line sums up, and the exit status says whether all passed. `npm test --
 * ARGUMENTS` passes them to jest and leaves out the checks.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, prepareInstall, ROOT, runThrough } from './prepare.mjs';
import { engineLines, kindsFor, summarise, summaryLine } from './test-summary.mjs';

const args = process.argv.slice(2);
const say = (line) => console.log(`\n== ${line}`);
const bin = (path) => join(ROOT, 'node_modules', path);

/** Runs beside the other checks, so its output is shown when it has ended. */
const check = async (name, folder, program, programArgs) => {
  const file = join(folder, `${name}.log`);
  const log = openSync(file, 'w');
  const status = await runThrough(process.execPath, [program, ...programArgs], ['ignore', log, log]);
  closeSync(log);
  say(name);
  process.stdout.write(readFileSync(file));
  return summarise(name, null, status);
};

/** Tests of servers wait for them a part of the time, so they are more than there are cores. Those that measure time run alone. */
const ALL_CORES = '--maxWorkers=100%';
const BEYOND_CORES = `--maxWorkers=${Math.ceil(1.5 * availableParallelism())}`;
const WORKERS = {
  unit: ALL_CORES,
  property: ALL_CORES,
  contract: ALL_CORES,
  e2e: BEYOND_CORES,
  fault: BEYOND_CORES,
  timing: '--runInBand',
};

const jest = async (kind, folder) => {
  say(`${kind} tests`);
  const file = join(folder, `${kind}.json`);
  const status = await runThrough(process.execPath, [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    bin('jest/bin/jest.js'),
    `--selectProjects=${kind}`,
    '--passWithNoTests',
    '--json',
    `--outputFile=${file}`,
    WORKERS[kind],
    // Jest ends its workers by force. Without that, Node 20 once spun in its own clean-up after all fault tests had passed, waiting
    // for a request of a store that was killed.
    ...(['fault', 'timing'].includes(kind) ? ['--forceExit'] : []),
    ...args,
  ]);
  return summarise(kind, reportIn(file), status);
};

/** Returns null when jest ended before it wrote a report. */
const reportIn = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

prepareInstall({ say });
const folder = mkdtempSync(join(tmpdir(), 'podium-test-'));
const tsc = bin('typescript/bin/tsc');
const biome = bin('@biomejs/biome/bin/biome');
const parts = await Promise.all(
  args.length > 0
    ? []
    : [
        check('types', folder, tsc, []),
        check('types of the pages', folder, tsc, ['-p', 'web']),
        check('style', folder, biome, ['ci', '.', '--colors=off']),
      ],
);
prepare({ say });
const enginesFile = join(folder, 'engines');
process.env.PODIUM_TEST_ENGINES = enginesFile;
for (const kind of kindsFor(args)) parts.push(await jest(kind, folder));
const engines = engineLines(existsSync(enginesFile) ? readFileSync(enginesFile, 'utf8') : '');
rmSync(folder, { recursive: true, force: true });

if (engines.used.length > 0) say(`ran on:\n${engines.used.map((line) => `- ${line}`).join('\n')}`);
const notRun = [...engines.notRun, ...parts.flatMap((part) => part.notRun)];
if (notRun.length > 0) say(`could not run here:\n${notRun.map((line) => `- ${line}`).join('\n')}`);
const failures = parts.flatMap((part) => part.failures);
if (failures.length > 0) say(`failed:\n${failures.map((line) => `- ${line}`).join('\n')}`);
console.log(`\n${summaryLine(parts)}`);
process.exitCode = parts.every((part) => part.failed === 0) ? 0 : 1;
