/** Drains as clients see them. Times are ISO 8601, UTC. */
import { type OwnerView, ownerView } from '../owner.js';
import { type BodyFormat, type Destination, type Drain, type DrainConfig, drainRevision } from './drain.js';

/** `failing`: its receiver does not take a batch, which is sent again. `stopped`: it goes on when it is resumed. */
export const DRAIN_STATES = ['running', 'failing', 'paused', 'stopped'] as const;
export type DrainState = (typeof DRAIN_STATES)[number];

export interface DestinationView {
  readonly kind: Destination['kind'];
  /** Null: files have none of their own. */
  readonly url: string | null;
  readonly format: BodyFormat | 'parquet';
  /** Of posts, in the reply to the request that has made it; null: in all others. */
  readonly secret: string | null;
}

export interface DrainView extends Omit<DrainConfig, 'destination'> {
  /** UUID. */
  readonly id: string;
  /** Of its settings: another one after each change of them. */
  readonly revision: string;
  readonly destination: DestinationView;
  readonly owner: OwnerView;
  readonly createdAt: string;
  readonly state: DrainState;
  /** Each matching entry up to this position is with the receiver, or was skipped. */
  readonly position: number;
  /** How far it is behind the last acknowledged entry of the logs. */
  readonly lagSeconds: number;
  readonly sent: {
    readonly entries: number;
    readonly batches: number;
    /** Null: none yet. */
    readonly lastAt: string | null;
  };
  /** Entries that were older than the retention before the receiver took them. */
  readonly skipped: number;
  /** Entries that the receiver found too large, each alone: they were passed over. */
  readonly tooLarge: number;
  readonly lastError: { readonly at: string; readonly problem: string } | null;
  /** Of the batch that the receiver did not take; null: none waits. */
  readonly nextAttemptAt: string | null;
}

/** `problem` null: the receiver has taken the empty batch. */
export interface DrainTest {
  readonly problem: string | null;
}

const isoTime = (at: number): string => new Date(at).toISOString();

/** `head`: the position of the last acknowledged entry. */
export const drainView = (drain: Drain, head: number, showsSecret = false): DrainView => {
  const { drainId, name, source, project, lql, redactPii, batchSeconds, progress } = drain;
  const { position, entries, batches, lastSentAt, skipped, tooLarge, lastError, nextAt } = progress;
  const state = stateOf(drain);
  return {
    ...{ id: drainId, revision: drainRevision(drain), name, source, project, lql, redactPii, batchSeconds },
    destination: destinationView(drain.destination, showsSecret),
    owner: ownerView(drain.owner),
    createdAt: isoTime(drain.createdAt),
    ...{ state, position, lagSeconds: Math.ceil(Math.max(0, head - position) / 1_000_000) },
    sent: { entries, batches, lastAt: lastSentAt === null ? null : isoTime(lastSentAt) },
    ...{ skipped, tooLarge },
    lastError: lastError && { at: isoTime(lastError.at), problem: lastError.problem },
    nextAttemptAt: state === 'failing' ? isoTime(nextAt) : null,
  };
};

const stateOf = ({ isPaused, progress }: Drain): DrainState => {
  if (progress.stopped !== null) return 'stopped';
  if (isPaused) return 'paused';
  return progress.failures > 0 ? 'failing' : 'running';
};

const destinationView = (destination: Destination, showsSecret: boolean): DestinationView => {
  if (destination.kind === 's3') return { kind: 's3', url: null, format: 'parquet', secret: null };
  const { kind, url, format, secret } = destination;
  return { kind, url, format, secret: showsSecret ? secret : null };
};
