/**
 * The id of the store, in a stream of its own: positions are those of the whole store, whatever the prefix. The first
 * process writes it, expecting no stream. One that writes at the same time gets a conflict, and reads what the first
 * has written. Each installation has one more stream, whose last event holds its id and its restore epoch.
 */
import { randomUUID } from 'node:crypto';
import { v7 as newEventId } from 'uuid';
import { NO_STREAM } from '../../foundation/event-store/event-store.js';
import {
  type Installation,
  type StoreIdentity,
  storeIdOf,
} from '../../foundation/event-store/installation.js';
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
  await appender.append(STORE_ID_STREAM, NO_STREAM, [event]);
  const written = await storeIdIn(reads);
  if (written === null) throw new EsdbFailure('refused', `it has no ${STORE_ID_STREAM} after it was written`);
  return written;
};

/** Its name has no `/`, so it is no stream of an aggregate, and no filter for the installation's streams lets it pass. */
const installationStream = (streamPrefix: string): string => `${streamPrefix}-installation`;

/** Null when the store has lost its id: it was emptied. */
export const identityIn = async (reads: EsdbReads, streamPrefix: string): Promise<StoreIdentity | null> => {
  const written = await storeIdIn(reads);
  if (written === null) return null;
  const options = { direction: 'backwards', limit: 1 } as const;
  const [last] = (await reads.stream(installationStream(streamPrefix), options)) ?? [];
  const { installationId: id, epoch }: { installationId?: unknown; epoch?: unknown } = last?.data ?? {};
  if (typeof id !== 'string' || typeof epoch !== 'number') return { storeId: written, installation: null };
  return { storeId: storeIdOf(written, epoch), installation: { id, epoch } };
};

/** Gives the store its id first, where it was emptied. Of two at once both are written, one after the other. */
export const writeInstallation = async (
  { reads, appender }: { readonly reads: EsdbReads; readonly appender: Appender },
  streamPrefix: string,
  { id, epoch }: Installation,
): Promise<void> => {
  await ensureStoreId(reads, appender);
  const metadata = { actor: 'system', correlationId: 'installation', schema: 1 };
  const event = {
    id: newEventId(),
    type: 'InstallationNamed',
    data: { installationId: id, epoch },
    metadata,
  };
  const stream = installationStream(streamPrefix);
  for (let isWritten = false; !isWritten; ) {
    const [last] = (await reads.stream(stream, { direction: 'backwards', limit: 1 })) ?? [];
    isWritten = (await appender.append(stream, last?.revision ?? NO_STREAM, [event])).ok;
  }
};

const storeIdIn = async (reads: EsdbReads): Promise<string | null> => {
  const [first] = (await reads.stream(STORE_ID_STREAM, { limit: 1 })) ?? [];
  if (!first) return null;
  const { storeId }: { storeId?: unknown } = first.data;
  if (typeof storeId !== 'string') throw new EsdbFailure('refused', `${STORE_ID_STREAM} holds no store id`);
  return storeId;
};
