/**
 * The tables of the sources: those that each installation has, and those of the installation's own, whose names the file keeps.
 * Tables are only made in the writer's turn.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { BUILT_IN_SOURCES, type LogSource } from '../../foundation/log-store/sources.js';

/** As SQL. A name may be a word of the engine's language. */
export const tableOf = (source: LogSource): string => `"${source}"`;

export class SourceTables {
  readonly #writer: DuckDBConnection;
  #names: readonly LogSource[];

  private constructor(writer: DuckDBConnection, names: readonly LogSource[]) {
    this.#writer = writer;
    this.#names = names;
  }

  /** Makes the tables that are missing, in the caller's transaction. */
  static async open(writer: DuckDBConnection): Promise<SourceTables> {
    await writer.run('CREATE TABLE IF NOT EXISTS _podium.sources (name VARCHAR, place INTEGER)');
    const result = await writer.runAndReadAll('SELECT name FROM _podium.sources ORDER BY place');
    const own = result.getRows().map(([name]) => String(name));
    const names = [...BUILT_IN_SOURCES, ...own];
    for (const source of names) await makeTable(writer, source);
    return new SourceTables(writer, names);
  }

  /** In the order of their creation. */
  get names(): readonly LogSource[] {
    return this.#names;
  }

  async add(source: LogSource): Promise<void> {
    if (this.#names.includes(source)) return;
    await this.#writer.run('BEGIN');
    try {
      await makeTable(this.#writer, source);
      await this.#writer.run('INSERT INTO _podium.sources VALUES ($source, $place)', {
        source,
        place: this.#names.length,
      });
      await this.#writer.run('COMMIT');
    } catch (error) {
      await this.#writer.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
    this.#names = [...this.#names, source];
  }
}

const makeTable = async (writer: DuckDBConnection, source: LogSource): Promise<void> => {
  await writer.run(`CREATE TABLE IF NOT EXISTS ${tableOf(source)} (
  id UUID NOT NULL, "timestamp" TIMESTAMP NOT NULL, event_message VARCHAR NOT NULL, metadata JSON NOT NULL,
  project VARCHAR, _received_at TIMESTAMP NOT NULL, _entry_key UBIGINT NOT NULL)`);
};
