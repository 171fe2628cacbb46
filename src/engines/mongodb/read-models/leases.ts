/**
 * Leases as documents, by the server's clock only, so the clocks of nodes need not agree. A node that takes or renews a
 * lease names the renewal that it read. So of several nodes one succeeds, and a paused process notices the loss.
 */
import type { Collection, Db } from 'mongodb';
import { isRunning, LAPSED_KEPT_MS } from '../../../foundation/read-models/lease-holder.js';
import type { Lease, LeaseRequest } from '../../../foundation/read-models/read-model-store.js';
import { isDuplicateKey } from '../mongo-connection.js';
import type { LeaseDocument } from './documents.js';

/** In this time, clocks drift by far less than the length of a lease. */
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
    if (!current) {
      await this.#leases.deleteMany({ renewedAt: { $lt: renewedAt - LAPSED_KEPT_MS } });
      return this.#take({ _id: name, beat: 1, ...terms });
    }
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

  /** The leases that have not expired. */
  async current(): Promise<readonly Lease[]> {
    const now = await this.#clock.now();
    const all = await this.#leases.find().sort({ _id: 1 }).toArray();
    return all.filter((lease) => !hasRunOut(lease, now)).map(leaseOf);
  }

  async lapsed(): Promise<readonly Lease[]> {
    const now = await this.#clock.now();
    const all = await this.#leases
      .find({ renewedAt: { $gt: now - LAPSED_KEPT_MS } })
      .sort({ _id: 1 })
      .toArray();
    return all.filter((lease) => hasRunOut(lease, now)).map(leaseOf);
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

/** The server's time: read every 10 s, and advanced by this process's monotonic clock in between. */
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
