/** A log store with entries in it, and SQL asked of it the way a caller of an endpoint does: compiled, then run. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogStore } from '../../src/app/stores/open-log-store.js';
import type { LogRows, LogStore } from '../../src/foundation/log-store/log-store.js';
import { isBuiltIn, type JsonRecord, type LogSource } from '../../src/foundation/log-store/sources.js';
import { LOGS_ALL_QUERY } from '../../src/logs/endpoints/stored/logs-all.js';
import {
  type CompiledQuery,
  type ConsumerQuery,
  compile,
  type StoredQuery,
} from '../../src/logs/sql/compile.js';
import { type EntrySketch, logEntry } from './log-entries.js';
import { temporaryFolder } from './podium-app.js';

export const LOGS_ALL: StoredQuery = { text: LOGS_ALL_QUERY, sandboxed: true };

export interface Asked {
  readonly stored?: StoredQuery;
  readonly parameters?: Readonly<Record<string, string | null>>;
  readonly onlyProject?: string | null;
  /** Microseconds since 1970. */
  readonly now?: number;
  readonly maxRows?: number;
  readonly timeoutMs?: number;
}

/** 2026-03-17T12:00:00Z, when these queries run unless they say otherwise. */
export const ASKED_AT = Date.UTC(2026, 2, 17, 12) * 1_000;

export interface LogQueries {
  readonly store: LogStore;
  compiled(consumer: string | ConsumerQuery | null, asked?: Asked): CompiledQuery;
  /** Of project `one`, through `logs.all`, unless it says otherwise; null asks the stored query itself. */
  ask(consumer: string | ConsumerQuery | null, asked?: Asked): Promise<LogRows>;
  rows(consumer: string | null, asked?: Asked): Promise<readonly JsonRecord[]>;
  close(): Promise<void>;
}

export type Entries = Readonly<Record<LogSource, readonly EntrySketch[]>>;

/** A store of its own, which is gone when it is closed. */
export interface OwnStore {
  readonly store: LogStore;
  close(): Promise<void>;
}

export const MEMORY = { memoryMb: 256 };

export const openOnDuckDb = async (): Promise<OwnStore> => {
  const folder = await temporaryFolder();
  const store = await openLogStore(`duckdb:${join(folder, 'logs.duckdb')}`, MEMORY);
  return {
    store,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

let openOwn = openOnDuckDb;

/** What `openLogQueries` opens from now on. A spec calls it before it imports the specs of queries, to run them on another engine. */
export const openQueriesOn = (open: () => Promise<OwnStore>): void => {
  openOwn = open;
};

export const openLogQueries = async (entries: Entries): Promise<LogQueries> => {
  const own = await openOwn();
  const { store } = own;
  for (const [source, sketches] of Object.entries(entries)) {
    if (!isBuiltIn(source)) await store.addSource(source);
    await store.append(source, sketches.map(logEntry));
  }
  const catalogue = await store.catalogue(null);
  const compiled = (consumer: string | ConsumerQuery | null, asked: Asked = {}) =>
    compile({
      stored: asked.stored ?? LOGS_ALL,
      consumer: typeof consumer === 'string' ? { language: 'sql', text: consumer } : consumer,
      onlyProject: asked.onlyProject ?? null,
      catalogue: { ...catalogue, ofAll: false },
    });
  const ask = (consumer: string | ConsumerQuery | null, asked: Asked = {}) =>
    store.run(compiled(consumer, asked).query, {
      parameters: asked.parameters ?? { project: 'one' },
      now: asked.now ?? ASKED_AT,
      maxRows: asked.maxRows ?? 1_000,
      timeoutMs: asked.timeoutMs ?? 200_000,
    });
  return {
    store,
    compiled,
    ask,
    rows: async (consumer, asked) => (await ask(consumer, asked)).rows,
    close: () => own.close(),
  };
};
