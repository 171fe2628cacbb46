/**
 * Ids for new events: UUIDs of version 7. They grow with time, so they land at one end of the store's index. Random
 * bytes are drawn for 256 ids at once, because one draw costs several times the rest of an id.
 */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const BYTES = 16;
const pool = new Uint8Array(BYTES * 256);
let used = pool.length;

export const newEventId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + BYTES);
  used += BYTES;
  return v7({ random });
};
