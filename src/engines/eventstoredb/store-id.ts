/**
 * The id of the store, in a stream of its own: positions are those of the whole store, whatever the prefix. The first
 * process writes it, expecting no stream. One that writes at the same time gets a conflict, and reads what the first
 * has written.
 */
import { randomUUID } from 'node:crypto';
import { v7 as newEventId } from 'uuid';
import type { Appender } from './appender.js';
import { EsdbFailure } from './failures.js';
import { STORE_ID_STREAM } from './filters.js';
import type { EsdbReads } from './reads.js';

const TYPE = 'EventStoreNamed';

export const ensureStoreId = async (reads: EsdbReads, appender: Appender): Promise<string> => {
  const known = await storeIdIn(reads);
  if (known !== null) return known;
  const metadata = { actor: 'system', correlationId: 'first start', schema: 1 };
  const event = { id: newEventId(), type: TYPE, data: { storeId: randomUUID() }, metadata };
  await appender.append(STORE_ID_STREAM, 'no_stream', [event]);
  const written = await storeIdIn(reads);
  if (written === null) throw new EsdbFailure('refused', `it has no ${STORE_ID_STREAM} after it was written`);
  return written;
};

const storeIdIn = async (reads: EsdbReads): Promise<string | null> => {
  const [first] = (await reads.stream(STORE_ID_STREAM, { limit: 1 })) ?? [];
  if (!first) return null;
  const { storeId }: { storeId?: unknown } = first.data;
  if (typeof storeId !== 'string') throw new EsdbFailure('refused', `${STORE_ID_STREAM} holds no store id`);
  return storeId;
};
