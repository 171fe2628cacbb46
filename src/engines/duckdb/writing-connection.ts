/**
 * The connection that writes, and a way to wait for its commits that leaves the processor to others. The engine hands a
 * commit to a thread of its own, and whoever called asks without a pause whether it is done: a core at full speed for as
 * long as a disk takes, which is a quarter of what ingestion costs its process.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBConnection } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

const POLL_INTERVAL_MS = 1;
/** As long as the engine's threads have nothing else to do, one of them is at it. */
const MAX_POLLS = 10_000;

export class WritingConnection extends DuckDBConnection {
  readonly #native: duckdb.Connection;

  constructor(native: duckdb.Connection) {
    super(native);
    this.#native = native;
  }

  /**
   * Runs a statement without parameters and results, looking now and then whether it is done. Where `othersAtWork` says
   * that the engine's threads may be busy with something else, this thread lends a hand instead.
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
