/**
 * The connection that writes, with a wait for commits that does not use the processor. The engine commits in its own
 * thread, and by default the calling thread polls without a pause until the disk is done. That busy wait took a quarter
 * of the processor time of ingestion.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBConnection } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

const POLL_INTERVAL_MS = 1;
/** An idle engine has a free thread that makes progress, so the wait is short. */
const MAX_POLLS = 10_000;

export class WritingConnection extends DuckDBConnection {
  readonly #native: duckdb.Connection;

  constructor(native: duckdb.Connection) {
    super(native);
    this.#native = native;
  }

  /**
   * Runs a statement without parameters and results, and polls every millisecond whether it is done. When `isEngineBusy`
   * returns true, the engine's threads may be busy, so the calling thread does the work.
   */
  async runPolling(sql: string, isEngineBusy: () => boolean): Promise<void> {
    const prepared = await duckdb.prepare(this.#native, sql);
    try {
      const pending = duckdb.pending_prepared(prepared);
      for (let look = 0; look < MAX_POLLS && !isEngineBusy() && isUnderWay(pending); look++) {
        await pause(POLL_INTERVAL_MS);
      }
      await duckdb.execute_pending(pending);
    } finally {
      duckdb.destroy_prepare_sync(prepared);
    }
  }
}

const isUnderWay = (pending: duckdb.PendingResult): boolean => {
  const state = duckdb.pending_execute_check_state(pending);
  return state === duckdb.PendingState.NO_TASKS_AVAILABLE || state === duckdb.PendingState.RESULT_NOT_READY;
};
