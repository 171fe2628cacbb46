/** The checksum of an event, and the chain that adds the checksums of all events up to it. */
import { crc32 } from 'node:zlib';

/** What the checksum covers. `id`: a UUID in lower case. `data` and `metadata`: as they are stored. */
export interface StoredEvent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  readonly recordedAt: number;
}

/** As signed 32 bits, which SQLite keeps in four bytes. */
export const checksumOf = (event: StoredEvent): number => {
  const { position, stream, revision, id, type, data, metadata, recordedAt } = event;
  return crc32(`${position} ${stream} ${revision} ${id} ${type} ${recordedAt} ${metadata}${data}`) | 0;
};

/** `before`: the chain of the event before; 0 for the first. The factor is odd, so a changed link changes all after it. */
export const chainOf = (before: number, checksum: number): number => (Math.imul(before, 31) + checksum) | 0;
