/** A drain of the logs: the entries of a source that are sent on as they arrive, where to, and how far it has come. */
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { Owner } from '../owner.js';
import { revisionOf } from '../revision.js';
import type { Progress } from './progress.js';

export const BODY_FORMATS = ['json', 'ndjson'] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

export type Destination = HttpDestination | S3Destination;

export interface HttpDestination {
  readonly kind: 'http';
  readonly url: string;
  readonly format: BodyFormat;
  /** Signs its batches, as Standard Webhooks has it: `whsec_` and Base64. */
  readonly secret: string;
}

/** Parquet files in the bucket of the operator's settings. */
export interface S3Destination {
  readonly kind: 's3';
}

export interface DrainConfig {
  readonly name: string;
  readonly source: LogSource;
  /** Whose entries it sends; null: those of all. */
  readonly project: string | null;
  /** A filter without times and aggregates; empty: all entries. */
  readonly lql: string;
  /** Whether addresses are redacted even if `logs.all` does not. */
  readonly redactPii: boolean;
  /** How long an entry waits at most for others of its batch. */
  readonly batchSeconds: number;
  readonly destination: Destination;
}

export interface Drain extends DrainConfig {
  /** UUID. */
  readonly drainId: string;
  /** Who made, changed or resumed it last. */
  readonly owner: Owner;
  /** Callers that are tied to this project see it; null: only those that see all. */
  readonly tiedTo: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly isPaused: boolean;
  readonly progress: Progress;
}

/** What its batches have, and where they go. With a change of it, nothing holds that was read for it before. */
export const sentBy = ({ source, project, lql, redactPii, destination }: DrainConfig) => ({
  ...{ source, project, lql, redactPii, destination },
});

/** Of its settings. */
export const drainRevision = (drain: DrainConfig): string =>
  revisionOf(drain.name, drain.batchSeconds, sentBy(drain));
