/** The rows of the file of snapshots, each with its checksum. */
import { crc32 } from 'node:zlib';
import type { SnapshotKey, StoredSnapshot } from '../../../foundation/read-models/state-snapshots.js';

export interface StateRow extends SnapshotKey, StoredSnapshot {
  readonly checksum: number;
}

/** `next`: the key of the next row of the lineage; empty at the last one. */
export interface RequestRow {
  readonly lineage: number;
  readonly key: string;
  readonly fingerprint: string;
  readonly next: string;
  readonly checksum: number;
}

export const STATE_COLUMNS = 'stream, version, lineage, revision, event_id AS eventId, body, checksum';

export const sealedState = (state: Omit<StateRow, 'checksum'>): StateRow => {
  const { stream, version, lineage, revision, eventId, body } = state;
  return { ...state, checksum: crc32(`${stream} ${version} ${lineage} ${revision} ${eventId} ${body}`) };
};

/** A flipped bit can make bytes of a text, which come to the same checksum. */
const areTexts = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'string');

export const isStateWhole = (row: StateRow): boolean =>
  areTexts(row.stream, row.eventId, row.body) && sealedState(row).checksum === row.checksum;

/** Of a request. Four parameters and no object: it is on the way of each request that has a key. */
export const requestSum = (lineage: number, key: string, fingerprint: string, next: string): number =>
  crc32(`${lineage} ${key} ${fingerprint} ${next}`);

export const isRequestWhole = ({ lineage, key, fingerprint, next, checksum }: RequestRow): boolean =>
  areTexts(key, fingerprint, next) && requestSum(lineage, key, fingerprint, next) === checksum;
