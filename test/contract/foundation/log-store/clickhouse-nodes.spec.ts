/** Several nodes that write into one ClickHouse: an id counts once, positions have no gaps that fill later, and whoever dies loses nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  ClickhouseLogStore,
  type ClickhouseLogStoreOptions,
} from '../../../../src/engines/clickhouse/clickhouse-log-store.js';
import { readClickhouseUrl } from '../../../../src/engines/clickhouse/clickhouse-url.js';
import { ClickhouseConnection, ServerRefusal } from '../../../../src/engines/clickhouse/connection.js';
import { EPOCH_HOLDS, TurnLostError, WriteTurns } from '../../../../src/engines/clickhouse/write-turns.js';
import { type LogStore, LogStoreUnavailableError } from '../../../../src/foundation/log-store/log-store.js';
import type { LogEntry } from '../../../../src/foundation/log-store/sources.js';
import {
  type ClickhouseServer,
  describeOnClickhouse,
  someLogDatabase,
  startClickhouse,
} from '../../../support/clickhouse/clickhouse-server.js';
import { logEntries, logEntry } from '../../../support/log-entries.js';
import { tailedMessages } from '../../../support/log-tails.js';
import { until } from '../../../support/until.js';

/** Stops before, or fails at, the statements that a test names. `after`: of those that have had their effect. */
class WatchedConnection extends ClickhouseConnection {
  before: ((statement: string) => Promise<void>) | null = null;
  after: ((statement: string) => void) | null = null;

  override async command(...given: Parameters<ClickhouseConnection['command']>): Promise<void> {
    await this.before?.(given[0]);
    await super.command(...given);
    this.after?.(given[0]);
  }

  override async insert(...given: Parameters<ClickhouseConnection['insert']>): Promise<void> {
    await this.before?.(given[0]);
    await super.insert(...given);
  }

  override async rows<T extends readonly unknown[]>(
    ...given: Parameters<ClickhouseConnection['rows']>
  ): Promise<readonly T[]> {
    await this.before?.(given[0]);
    return super.rows<T>(...given);
  }

  override async bytes(...given: Parameters<ClickhouseConnection['bytes']>): Promise<Buffer> {
    await this.before?.(given[0]);
    return super.bytes(...given);
  }
}

const isLink = (statement: string): boolean => statement.startsWith('INSERT INTO _turns');
const isEntries = (statement: string): boolean => statement.startsWith('INSERT INTO `edge_logs`');
const QUERY_WAS_CANCELLED = 394;

describeOnClickhouse('nodes on one ClickHouse', () => {
  let server: ClickhouseServer;
  let url: string;
  let opened: LogStore[];
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    url = server.url(someLogDatabase());
    opened = [];
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
  });

  const node = async (options: ClickhouseLogStoreOptions = {}) => {
    const connection = new WatchedConnection(readClickhouseUrl(url));
    const store = await ClickhouseLogStore.on(connection, options);
    opened.push(store);
    return { store, connection };
  };
  const total = async (store: LogStore) => (await store.counts()).edge_logs;

  it('count each id once, and their readers see each entry once, in the order of positions', async () => {
    const nodes = await Promise.all([node(), node(), node()]);
    const reader = await node();
    const seen: string[] = [];
    let after = 0;
    const read = async (): Promise<void> => {
      const upTo = await reader.store.position();
      if (upTo > after) seen.push(...(await tailedMessages(reader.store, { after, upTo })));
      after = upTo;
    };
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await read();
    })();
    const batches = Array.from({ length: 12 }, (_, batch) =>
      logEntries(50, (at) => ({ id: randomUUID(), eventMessage: `${batch}/${at}` })),
    );
    // Each batch is sent to all nodes, as by a client that repeats it elsewhere.
    const answers = await Promise.all(
      batches.flatMap((batch) => nodes.map(({ store }) => store.append('edge_logs', batch))),
    );
    isOver = true;
    await reading;
    await read();
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(600);
    expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(1_200);
    expect(await total(reader.store)).toBe(600);
    expect(seen.toSorted()).toEqual(
      batches
        .flat()
        .map(({ eventMessage }) => eventMessage)
        .toSorted(),
    );
  });

  it('write the appends that wait together as one part, so that all of them are there or none', async () => {
    const { store, connection } = await node();
    await connection.command('SYSTEM STOP MERGES edge_logs');
    await store.append('edge_logs', [logEntry()]);
    const waiting = Array.from({ length: 6 }, () => store.append('edge_logs', logEntries(3_000)));
    await Promise.all(waiting);
    const parts = await connection.rows<[number]>(
      "SELECT rows FROM system.parts WHERE database = currentDatabase() AND table = 'edge_logs' AND active ORDER BY rows",
    );
    // The first may have gone before the others came.
    expect(parts.length).toBeLessThanOrEqual(3);
    expect(parts.at(-1)?.[0]).toBeGreaterThanOrEqual(15_000);
  });

  it('know of fields and sources that another has added', async () => {
    const [one, other] = await Promise.all([node(), node()]);
    await other.store.catalogue('p');
    await one.store.append('edge_logs', [logEntry({ project: 'p', metadata: { fresh: 1 } })]);
    expect((await other.store.catalogue('p')).sources.edge_logs?.fields.fresh).toEqual({ kind: 'integer' });
    await one.store.addSource('audit_logs');
    expect(await other.store.sources()).toContain('audit_logs');
    expect(await other.store.append('audit_logs', [logEntry()])).toEqual({ accepted: 1, duplicates: 0 });
    await other.store.append('edge_logs', [logEntry({ project: 'p', metadata: { late: 'x' } })]);
    expect(Object.keys((await one.store.catalogue('p')).sources.edge_logs?.fields ?? {})).toEqual(
      expect.arrayContaining(['fresh', 'late']),
    );
  });

  it('tell their listeners of what another has written', async () => {
    const [one, other] = await Promise.all([node(), node()]);
    let told = 0;
    other.store.onAppend(() => {
      told++;
    });
    await one.store.append('edge_logs', [logEntry()]);
    await until(
      async () => told,
      (times) => times > 0,
    );
  });

  it('give the turn on, so that none waits long for one that writes all the time', async () => {
    const [busy, other] = await Promise.all([node(), node()]);
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await Promise.all([1, 2].map(() => busy.store.append('edge_logs', logEntries(20))));
    })();
    for (let round = 0; round < 3; round++)
      expect(await other.store.append('edge_logs', [logEntry()])).toEqual({ accepted: 1, duplicates: 0 });
    isOver = true;
    await writing;
  });

  it('ask beside the link whether another waits, so that no group waits for the answer', async () => {
    const { store, connection } = await node();
    let links = 0;
    let asked = false;
    connection.before = async (statement) => {
      if (statement.includes('FROM _wanted')) asked = true;
      // A turn lasts for 100 ms before it is asked.
      const began = performance.now();
      if (isEntries(statement))
        await until(
          async () => performance.now() - began,
          (ms) => ms > 150,
        );
      if (isLink(statement) && ++links === 2)
        await until(
          async () => asked,
          (isAsked) => isAsked,
        );
    };
    expect(await store.append('edge_logs', [logEntry()])).toEqual({ accepted: 1, duplicates: 0 });
    connection.before = null;
  });

  it('find as there what one has written whose end came before its acknowledgement', async () => {
    const [dying, other] = await Promise.all([node({ silenceMs: 50 }), node({ silenceMs: 50 })]);
    const entries = logEntries(10);
    let links = 0;
    dying.connection.before = async (statement) => {
      // The first link takes the turn; the next would commit.
      if (isLink(statement) && ++links > 1) throw new LogStoreUnavailableError('planted');
    };
    await expect(dying.store.append('edge_logs', entries)).rejects.toThrow('planted');
    expect(await other.store.position()).toBe(0);
    const more = logEntry();
    expect(await other.store.append('edge_logs', [...entries, more])).toEqual({
      accepted: 1,
      duplicates: 10,
    });
    const upTo = await other.store.position();
    expect(await tailedMessages(other.store, { after: 0, upTo })).toHaveLength(11);
    dying.connection.before = null;
  });

  it('answer with what was written in a turn that was lost before its commit', async () => {
    const [slow, other] = await Promise.all([node({ silenceMs: 50 }), node({ silenceMs: 50 })]);
    const entries: readonly LogEntry[] = logEntries(10);
    let links = 0;
    slow.connection.before = async (statement) => {
      if (isLink(statement) && ++links === 2)
        expect(await other.store.append('edge_logs', entries.slice(0, 5))).toEqual({
          accepted: 0,
          duplicates: 5,
        });
    };
    expect(await slow.store.append('edge_logs', entries)).toEqual({ accepted: 10, duplicates: 0 });
    expect(await total(other.store)).toBe(10);
  });

  it('wait for none whose removal was refused', async () => {
    // Longer than a test takes: only a link gives the turn on.
    const [refused, other] = await Promise.all([node({ silenceMs: 600_000 }), node()]);
    await refused.store.append('edge_logs', [logEntry()]);
    refused.connection.before = async (statement) => {
      if (statement.startsWith('SELECT _partition_id')) throw new ServerRefusal(241, 'planted');
    };
    await expect(refused.store.removeBefore('edge_logs', 1)).rejects.toThrow('planted');
    refused.connection.before = null;
    expect(await other.store.append('edge_logs', [logEntry()])).toEqual({ accepted: 1, duplicates: 0 });
  });

  it('count an id once after a turn that was given up without an answer', async () => {
    const { store, connection } = await node();
    await store.append('edge_logs', [logEntry()]);
    let unanswered = 0;
    connection.after = (statement) => {
      if (!isLink(statement)) return;
      unanswered++;
      throw new LogStoreUnavailableError('planted');
    };
    // The turn is given up when there was no work for a while. A link is tried three times.
    await until(
      async () => unanswered,
      (count) => count === 3,
    );
    connection.after = null;
    expect(await store.append('edge_logs', [logEntry()])).toEqual({ accepted: 1, duplicates: 0 });
    expect(await total(store)).toBe(2);
  });

  it('know of a field whose first entry was not written, as soon as another is', async () => {
    const [one, other] = await Promise.all([node({ silenceMs: 50 }), node()]);
    const entry = logEntry({ project: 'p', metadata: { fresh: 1 } });
    await other.store.catalogue('p');
    one.connection.before = async (statement) => {
      if (isEntries(statement)) throw new LogStoreUnavailableError('planted');
    };
    await expect(one.store.append('edge_logs', [entry])).rejects.toThrow('planted');
    one.connection.before = null;
    await one.store.append('edge_logs', [entry]);
    expect((await other.store.catalogue('p')).sources.edge_logs?.fields.fresh).toEqual({ kind: 'integer' });
  });

  it('know of a source once, whichever statement that added it got no answer', async () => {
    const [one, other] = await Promise.all([node({ silenceMs: 50 }), node({ silenceMs: 50 })]);
    for (const store of [one.store, other.store]) await store.append('edge_logs', [logEntry()]);
    const isPlace = (statement: string): boolean => statement.startsWith('INSERT INTO _sources');
    for (const [place, isChosen] of [isPlace, isLink].entries()) {
      const source = `audit_logs_${place}`;
      // The link that takes the turn is not the one that commits.
      let isAdded = false;
      one.connection.after = (statement) => {
        isAdded ||= isPlace(statement);
        if (isAdded && isChosen(statement)) throw new LogStoreUnavailableError('planted');
      };
      await expect(one.store.addSource(source)).rejects.toThrow('planted');
      one.connection.after = null;
      for (const { store } of [other, one]) {
        await store.addSource(source);
        expect((await store.sources()).filter((known) => known === source)).toHaveLength(1);
        expect(await store.append(source, [logEntry()])).toEqual({ accepted: 1, duplicates: 0 });
      }
    }
  });

  it('are told to come again when the turn to add a source was lost', async () => {
    const [slow, other] = await Promise.all([node({ silenceMs: 50 }), node({ silenceMs: 50 })]);
    let links = 0;
    slow.connection.before = async (statement) => {
      if (isLink(statement) && ++links === 2) await other.store.append('edge_logs', [logEntry()]);
    };
    await expect(slow.store.addSource('audit_logs')).rejects.toBeInstanceOf(LogStoreUnavailableError);
    await slow.store.addSource('audit_logs');
    expect(await other.store.sources()).toContain('audit_logs');
  });

  it('write an entry that could not be looked up after a turn that was lost', async () => {
    const { store, connection } = await node();
    let isLost = false;
    connection.before = async (statement) => {
      if (isEntries(statement)) {
        isLost = true;
        throw new ServerRefusal(QUERY_WAS_CANCELLED, 'planted');
      }
      if (isLost && statement.includes('_entry_key IN')) throw new LogStoreUnavailableError('planted');
    };
    const entry = logEntry();
    await expect(store.append('edge_logs', [entry])).rejects.toThrow('planted');
    connection.before = null;
    expect(await store.append('edge_logs', [entry])).toEqual({ accepted: 1, duplicates: 0 });
  });

  it('have a turn one at a time, also when all ask at the same moment', async () => {
    const { connection } = await node();
    await connection.command('SYSTEM STOP MERGES _turns');
    const nodes = Array.from({ length: 6 }, () => new WriteTurns(connection, 60_000));
    let holders = 0;
    const epochs: number[] = [];
    const takeTwice = async (turns: WriteTurns): Promise<void> => {
      for (let time = 0; time < 2; time++) {
        const { epoch } = await turns.take();
        epochs.push(epoch);
        expect(++holders).toBe(1);
        await turns.commit({ position: epoch });
        holders--;
        await turns.free({ toOther: true });
      }
    };
    await Promise.all(nodes.map(takeTwice));
    expect(epochs).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    // Of each number there is one link: the server has dropped the others.
    expect(await connection.rows('SELECT count(), uniqExact(seq) FROM _turns')).toEqual([[36, 36]]);
  });

  it('write nothing in a turn that is over, and end an insert of it that runs', async () => {
    await node();
    const connection = new ClickhouseConnection(readClickhouseUrl(url));
    const one = new WriteTurns(connection, 50);
    const other = new WriteTurns(connection, 60_000);
    const { epoch } = await one.take();
    // A row takes three seconds at most, so all of them an hour.
    const insertOf = (rows: number) =>
      connection.insert(
        `INSERT INTO _wanted SELECT epoch + sleepEachRow(3) FROM input('epoch Int64') WHERE ${EPOCH_HOLDS} FORMAT JSONEachRow`,
        [Buffer.from('{"epoch":-7}\n'.repeat(rows))],
        {
          values: { epoch },
          settings: {
            log_comment: one.mark,
            max_block_size: '1',
            function_sleep_max_microseconds_per_block: '0',
          },
        },
      );
    const running = insertOf(1_200).catch((error: Error) => error.message);
    await until(
      () =>
        connection.rows<[number]>(
          "SELECT count() FROM system.processes WHERE Settings['log_comment'] LIKE 'podium writes%'",
        ),
      ([[count] = [0]]) => count > 0,
    );
    const next = await other.take();
    expect(next).toMatchObject({ epoch: epoch + 1, isTakeover: true });
    expect(await running).toMatch(/cancel/i);
    await insertOf(1);
    expect(await connection.rows('SELECT count() FROM _wanted WHERE epoch = -7')).toEqual([[0]]);
    await expect(one.commit({ position: 5 })).rejects.toBeInstanceOf(TurnLostError);
    await other.commit({ position: 9 });
    expect((await one.last()).position).toBe(9);
    await connection.close();
  });

  it('lose nothing that was acknowledged when the server is killed, and count none of it twice', async () => {
    if (server.process === null) return;
    const [one, other] = await Promise.all([node({ silenceMs: 1_000 }), node({ silenceMs: 1_000 })]);
    const acknowledged: LogEntry[] = [];
    const unknown: LogEntry[] = [];
    let isOver = false;
    const write = async ({ store }: { readonly store: LogStore }): Promise<void> => {
      while (!isOver) {
        const batch = logEntries(20);
        await store.append('edge_logs', batch).then(
          () => acknowledged.push(...batch),
          (error: unknown) => {
            expect(error).toBeInstanceOf(LogStoreUnavailableError);
            unknown.push(...batch);
          },
        );
      }
    };
    const writing = [write(one), write(other)];
    await until(
      async () => acknowledged.length,
      (count) => count > 100,
    );
    await server.process.end('SIGKILL');
    isOver = true;
    await Promise.all(writing);
    await server.process.start();
    expect(unknown.length).toBeGreaterThan(0);
    expect(await other.store.append('edge_logs', acknowledged)).toEqual({
      accepted: 0,
      duplicates: acknowledged.length,
    });
    await one.store.append('edge_logs', unknown);
    expect(await total(other.store)).toBe(acknowledged.length + unknown.length);
  });
});
