/**
 * Leases as documents, by the server's clock alone: how far a node's own clock is off does not matter. Whoever takes
 * or renews one says which renewal it saw, so of several one succeeds, and a process that was paused finds out.
 */
import type { Collection, Db } from 'mongodb';
import { isRunning } from '../../../foundation/read-models/lease-holder.js';
import type { Lease, LeaseRequest } from '../../../foundation/read-models/read-model-store.js';
import { isDuplicateKey } from '../mongo-connection.js';
import type { LeaseDocument } from './documents.js';

/** Clocks drift by far less than a lease in this time. */
const CLOCK_VALID_MS = 10_000;

export class MongoLeases {
  readonly #leases: Collection<LeaseDocument>;
  readonly #clock: ServerClock;

  constructor(db: Db) {
    this.#leases = db.collection<LeaseDocument>('leases');
    this.#clock = new ServerClock(db);
  }

  /** Null when another holder has it. */
  async acquire({ name, holder, ttlMs, ...request }: LeaseRequest): Promise<Lease | null> {
    const detail = request.detail ?? null;
    const renewedAt = await this.#clock.now();
    const current = await this.#leases.findOne({ _id: name });
    const terms = { holder, detail, ttlMs, renewedAt };
    if (!current) return this.#take({ _id: name, beat: 1, ...terms });
    if (current.holder !== holder && !hasRunOut(current, renewedAt)) return null;
    const taken = await this.#leases.findOneAndUpdate(
      { _id: name, holder: current.holder, beat: current.beat },
      { $set: terms, $inc: { beat: 1 } },
      { returnDocument: 'after' },
    );
    return taken && leaseOf(taken);
  }

  async release(name: string, holder: string): Promise<void> {
    await this.#leases.deleteOne({ _id: name, holder });
  }

  /** Those that bind somebody still. */
  async current(): Promise<readonly Lease[]> {
    const now = await this.#clock.now();
    const all = await this.#leases.find().sort({ _id: 1 }).toArray();
    return all.filter((lease) => !hasRunOut(lease, now)).map(leaseOf);
  }

  async #take(lease: LeaseDocument): Promise<Lease | null> {
    try {
      await this.#leases.insertOne(lease);
      return leaseOf(lease);
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }
}

const hasRunOut = ({ renewedAt, ttlMs }: LeaseDocument, now: number): boolean =>
  !isRunning(renewedAt + ttlMs, now);

const leaseOf = ({ _id, holder, detail, renewedAt, ttlMs }: LeaseDocument): Lease => ({
  name: _id,
  holder,
  detail,
  expiresAt: renewedAt + ttlMs,
});

/** The server's time, asked for now and then and counted on by this process's steady clock. */
class ServerClock {
  readonly #db: Db;
  #ahead = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Milliseconds since 1970. */
  async now(): Promise<number> {
    const before = performance.now();
    if (before - this.#measuredAt > CLOCK_VALID_MS) {
      const { localTime } = await this.#db.command({ hello: 1 });
      const after = performance.now();
      this.#ahead = Number(localTime) - (before + after) / 2;
      this.#measuredAt = after;
    }
    return Math.round(performance.now() + this.#ahead);
  }
}
