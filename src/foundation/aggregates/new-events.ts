/** What a command has decided, as events with ids and metadata. */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { EventMetadata, NewEvent } from '../event-store/event-store.js';
import type { CommandContext } from './aggregate.js';

const ID_BYTES = 16;
/** Random bytes are drawn for 256 ids at once, because one draw costs several times the rest of an id. */
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;

/** UUIDs of version 7. They grow with time, so they land at one end of the store's index. */
const newEventId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  return v7({ random });
};

/** The events of one command share their metadata: of its context, what events record. */
export const newEvents = (
  decided: readonly Pick<NewEvent, 'type' | 'data'>[],
  { actor, keyId, accountId, correlationId, causationId }: CommandContext,
  schema: number,
): NewEvent[] => {
  const metadata: EventMetadata = {
    actor,
    ...(keyId !== undefined && { keyId }),
    ...(accountId !== undefined && { accountId }),
    correlationId,
    ...(causationId !== undefined && { causationId }),
    schema,
  };
  return decided.map(({ type, data }) => ({ id: newEventId(), type, data, metadata }));
};
