/**
 * Which engine stood behind which port in this test run, and what did not run on one, for the last lines of `npm test`:
 * a promise that was tested on a substitute must not look as if it had been tested on the real thing. Each line goes
 * into the file that scripts/test.mjs names; jest run by itself has none, and then nothing is written.
 */
import { appendFileSync } from 'node:fs';

const FILE = process.env.PODIUM_TEST_ENGINES;

export interface EngineUsed {
  /** As in docs/architecture.md: `EventStore`, `ReadModelStore`, `OperationalStore`, `LogStore`. */
  readonly port: string;
  /** What it is called: `SQLite`, `MongoDB`, `a test server that speaks …`. */
  readonly engine: string;
  /** As the engine itself tells it. */
  readonly version: string;
}

export interface NotRun {
  readonly port: string;
  /** The engine that it did not run on, or that ignored it. */
  readonly engine: string;
  /** What did not run, or had no effect. */
  readonly what: string;
  /** Why, and what would make it run. */
  readonly why: string;
}

export const engineUsed = (used: EngineUsed): void => write({ kind: 'used', ...used });

export const notRunOn = (notRun: NotRun): void => write({ kind: 'not run', ...notRun });

const write = (line: object): void => {
  if (FILE) appendFileSync(FILE, `${JSON.stringify(line)}\n`);
};
