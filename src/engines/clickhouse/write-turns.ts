/**
 * Whose turn it is to write. Any node may write, one at a time, as ids count once and positions grow over all sources. ClickHouse has
 * no transactions, so turns are links of a chain in the table `_turns`: a link is inserted with its number as the token by which the
 * server drops a second insert, so of two nodes that add the same link one does. A link begins a turn (a new epoch), or commits
 * what its holder has written: the position of the last entry, and when fields and sources last changed. What no link commits was
 * not acknowledged.
 *
 * A holder that dies or hangs loses its turn when its last link is too old. Its inserts may be under way then. Each insert
 * asks for the epoch where it runs (`EPOCH_HOLDS`), so one that begins later writes nothing; `#fence` ends those that run. So nothing of
 * an older epoch is written after the first entry of the next.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LogStoreUnavailableError } from '../../foundation/log-store/log-store.js';
import { holderName, isDeadHolder } from '../../foundation/read-models/lease-holder.js';
import type { ClickhouseConnection } from './connection.js';
import {
  INSERTS_HAVE_ENDED_MS,
  onCluster,
  SERVERS_OF_CLUSTER,
  systemTable,
  UNDECIDED_INSERTS,
} from './replicas.js';

export interface Link {
  readonly seq: number;
  readonly epoch: number;
  /** Empty: the turn is free, and nothing of it is under way. */
  readonly holder: string;
  /** Of the last acknowledged entry; 0: there is none. */
  readonly position: number;
  /** The number of the link that last changed the fields, or the sources. */
  readonly fields: number;
  readonly sources: number;
}

interface StoredLink extends Link {
  /** Its holder has been silent for too long, by the server's clock. */
  readonly isOver: boolean;
  /** Tells a link from that of another node with the same number. */
  readonly nonce: string;
}

type StoredRow = readonly [number, number, string, number, number, number, number, string];

/** A turn under way. */
export interface Turn {
  readonly epoch: number;
  /** What the link before it committed. */
  readonly before: Link;
  /** Whether the holder before it ended in the middle: entries beyond the position of `before` may be there, and fields and sources. */
  readonly isTakeover: boolean;
}

/** The turn went to another node. What was written in it may be there, or not. */
export class TurnLostError extends LogStoreUnavailableError {
  constructor() {
    super('another node has taken the turn to write log entries');
  }
}

const FIRST: StoredLink = {
  seq: 0,
  epoch: 0,
  holder: '',
  position: 0,
  fields: 0,
  sources: 0,
  isOver: true,
  nonce: '',
};
const MAX_SILENCE_MS = 10_000;
const LOOK_AGAIN_MS = 20;
const LOOK_AT_CLUSTER_AGAIN_MS = 500;
/** How long a node waits for its turn before its clients are told to come again. */
const MAX_WAIT_MS = 60_000;
const ATTEMPTS = 3;

/** In an INSERT … SELECT: writes nothing when the turn of `{epoch:Int64}` is over. */
export const EPOCH_HOLDS = '(SELECT argMax(epoch, seq) FROM _turns) = {epoch:Int64}';

export class WriteTurns {
  readonly #connection: ClickhouseConnection;
  readonly #silenceMs: number;
  readonly #holder = holderName();
  #last: Link = FIRST;
  #turn: Turn | null = null;
  #looking: Promise<void> | null = null;
  #nextLook: Promise<StoredLink> | null = null;
  /** Whether another node asked for the turn that this one gave up. */
  #wasWanted = false;

  /** `silenceMs`: how long a holder may be silent. Its inserts are ended after that. */
  constructor(connection: ClickhouseConnection, silenceMs = MAX_SILENCE_MS) {
    this.#connection = connection;
    this.#silenceMs = silenceMs;
  }

  /** The last link of all nodes. Calls that wait share one look. */
  last(): Promise<Link> {
    return this.#stored();
  }

  /** The `log_comment` of all inserts: `#fence` finds them by it. */
  get mark(): string {
    return `podium writes ${this.#connection.database}`;
  }

  /** Returns the turn that this node has, or waits for one. Throws LogStoreUnavailableError. */
  async take(): Promise<Turn> {
    if (this.#turn !== null) return this.#turn;
    if (this.#wasWanted) await pause(2 * LOOK_AGAIN_MS);
    this.#wasWanted = false;
    const until = performance.now() + MAX_WAIT_MS;
    for (let asked = 0; performance.now() < until; ) {
      const last = await this.#stored();
      if (last.holder === '' || last.isOver || last.holder === this.#holder || isDeadHolder(last.holder)) {
        const isTakeover = last.holder !== '';
        const { position, fields, sources } = last;
        const seq = last.seq + 1;
        const taken = { seq, epoch: last.epoch + 1, holder: this.#holder, position, fields, sources };
        // What the holder before changed without a commit is there for all from now on.
        if (!(await this.#add(isTakeover ? { ...taken, fields: seq, sources: seq } : taken))) continue;
        if (isTakeover) await this.#fence();
        this.#turn = { epoch: taken.epoch, before: last, isTakeover };
        return this.#turn;
      }
      if (asked !== last.epoch) await this.#want(last.epoch);
      asked = last.epoch;
      await pause(LOOK_AGAIN_MS * (0.5 + Math.random()));
    }
    throw new LogStoreUnavailableError('another node has been writing log entries for a minute');
  }

  async #want(epoch: number): Promise<void> {
    await this.#connection.command('INSERT INTO _wanted VALUES ({epoch:Int64})', { epoch });
  }

  /** Commits what was written in this turn. Throws TurnLostError when it is over. */
  async commit(changes: Partial<Pick<Link, 'position' | 'fields' | 'sources'>>): Promise<Link> {
    if (this.#turn === null) throw new TurnLostError();
    return this.#append({ ...this.#last, ...changes, holder: this.#holder });
  }

  /** The number that the next link of this turn gets. */
  get next(): number {
    return this.#last.seq + 1;
  }

  /** Whether another node waits. */
  async isWanted(): Promise<boolean> {
    if (this.#turn === null) return false;
    const { epoch } = this.#turn;
    const [[wanted] = [0]] = await this.#connection.rows<[number]>(
      'SELECT count() FROM _wanted WHERE epoch = {epoch:Int64}',
      { epoch },
    );
    return wanted > 0;
  }

  /**
   * Gives the turn up, also when the link that says so gets no answer: it may be there. All inserts of the turn have been answered.
   * `isChanged`: fields and sources may have changed without a commit.
   */
  async free({ toOther = false, isChanged = false } = {}): Promise<void> {
    if (this.#turn === null) return;
    this.#turn = null;
    this.#wasWanted = toOther;
    const changes = isChanged ? { fields: this.next, sources: this.next } : {};
    await this.#append({ ...this.#last, ...changes, holder: '' }).catch((error: unknown) => {
      if (!(error instanceof TurnLostError)) throw error;
    });
  }

  /** Forgets the turn. An insert of it may be under way: the next turn, of whichever node, ends it. */
  abandon(): void {
    this.#turn = null;
  }

  async #append(link: Link): Promise<Link> {
    const next = { ...link, seq: link.seq + 1 };
    if (await this.#add(next)) return next;
    this.#turn = null;
    throw new TurnLostError();
  }

  /** Returns false when another link has this number. */
  async #add(link: Link): Promise<boolean> {
    const nonce = randomBytes(6).toString('hex');
    await this.#insert(link, nonce);
    const stored = await this.#look();
    const isOurs = stored.seq === link.seq && stored.nonce === nonce;
    if (isOurs) this.#last = link;
    return isOurs;
  }

  /** Without an answer it is repeated, which is safe: the server takes the number once. */
  async #insert({ seq, epoch, holder, position, fields, sources }: Link, nonce: string): Promise<void> {
    const values = { seq, epoch, holder, position, fields, sources, silence: this.#silenceMs * 1_000, nonce };
    const statement = `INSERT INTO _turns SELECT {seq:Int64}, {epoch:Int64}, {holder:String}, {position:Int64}, {fields:Int64},
      {sources:Int64}, toUnixTimestamp64Micro(now64(6)) + {silence:Int64}, {nonce:String}`;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#connection.command(statement, values, {
          insert_deduplicate: 1,
          insert_deduplication_token: `link ${seq}`,
        });
        return;
      } catch (error) {
        if (!(error instanceof LogStoreUnavailableError) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  #stored(): Promise<StoredLink> {
    // One that has begun may have looked already.
    this.#nextLook ??= (this.#looking ?? Promise.resolve()).then(() => {
      const look = this.#look();
      this.#nextLook = null;
      this.#looking = look.then(
        () => undefined,
        () => undefined,
      );
      return look;
    });
    return this.#nextLook;
  }

  async #look(): Promise<StoredLink> {
    const [row] = await this.#connection.rows<StoredRow>(
      `SELECT seq, epoch, holder, position, fields, sources, until < toUnixTimestamp64Micro(now64(6)), nonce
       FROM _turns ORDER BY seq DESC LIMIT 1`,
    );
    if (row === undefined) return FIRST;
    const [seq, epoch, holder, position, fields, sources, isOver, nonce] = row;
    return { seq, epoch, holder, position, fields, sources, isOver: isOver === 1, nonce };
  }

  /** Ends the inserts that run, which are of epochs before. Those that begin later see that theirs is over. */
  async #fence(): Promise<void> {
    const { cluster } = this.#connection;
    const mark = { mark: this.mark };
    const began = performance.now();
    for (;;) {
      const [[running, reached] = [0, 0]] = await this.#connection.rows<[number, number]>(
        `SELECT countIf(Settings['log_comment'] = {mark:String}), uniqExact(hostName()) FROM ${systemTable(cluster, 'processes')}`,
        mark,
      );
      if (running === 0 && (cluster === null || (await this.#isDecided(cluster, reached, began)))) return;
      if (performance.now() > began + MAX_WAIT_MS)
        throw new LogStoreUnavailableError('an insert of another node does not end');
      if (running > 0)
        await this.#connection.command(
          `KILL QUERY${onCluster(cluster)} WHERE Settings['log_comment'] = {mark:String} ASYNC FORMAT Null`,
          mark,
        );
      await pause(cluster === null ? LOOK_AGAIN_MS : LOOK_AT_CLUSTER_AGAIN_MS);
    }
  }

  /** Whether no insert of a server that was not reached is under way, and none waits for a majority. `since`: from then on none begins. */
  async #isDecided(cluster: string, reached: number, since: number): Promise<boolean> {
    const [[servers] = [0]] = await this.#connection.rows<[number]>(SERVERS_OF_CLUSTER, { cluster });
    if (reached < servers && performance.now() < since + INSERTS_HAVE_ENDED_MS) return false;
    const [[undecided] = [0]] = await this.#connection.rows<[number]>(UNDECIDED_INSERTS);
    return undecided === 0;
  }
}
