/**
 * The driver of SQLite: better-sqlite3 13 where Node has the Node-API that it is built on (22.14 and newer), else 12.
 * The package of 13 contains one binary for every such Node, so nothing is downloaded or compiled; Node 20 is too old for
 * it. 12 must not be loaded by Node 24.19 and newer when it was compiled there: it ends the process when the garbage
 * collector frees a statement while no code runs.
 */
import type BetterSqlite3 from 'better-sqlite3';

/** The Node-API that 13 is built on. */
const NODE_API = 10;

/** The same choice as in scripts/prepare.mjs, which compiles 12 only where it is loaded. */
export const SQLITE_PACKAGE =
  Number(process.versions.napi) >= NODE_API ? 'better-sqlite3-napi' : 'better-sqlite3';

const driver: { readonly default: typeof BetterSqlite3 } = await import(SQLITE_PACKAGE);

export const SqliteDatabase = driver.default;
