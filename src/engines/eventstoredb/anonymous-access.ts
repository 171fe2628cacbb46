/**
 * What a call without credentials may do. A server lets anybody append to a stream without an access list by default. The
 * append expects a revision that no stream has, so the server either denies it or refuses it, and writes nothing.
 */
import { randomUUID } from 'node:crypto';
import { BACKWARDS, END } from '@eventstore/db-client';
import type { AnonymousAct } from '../../foundation/event-store/anonymous-access.js';
import { BatchAppends } from './batch-appends.js';
import { EsdbClient } from './client-internals.js';
import { encodeEvent } from './codec.js';
import type { EsdbUrl } from './esdb-url.js';
import { failureOf } from './failures.js';
import { recordsOf } from './read-records.js';

/** Throws EsdbFailure when the server does not answer. */
export const anonymousActs = async (
  { credentials: _, ...url }: EsdbUrl,
  stream: string,
): Promise<readonly AnonymousAct[]> => {
  const client = new EsdbClient(url, 0);
  const last = { fromPosition: END, direction: BACKWARDS, maxCount: 1 } as const;
  const metadata = { actor: 'system', correlationId: 'rights', schema: 1 };
  const event = { id: randomUUID(), type: 'NeverWritten', data: {}, metadata };
  const append = {
    stream,
    expected: Number.MAX_SAFE_INTEGER,
    events: [encodeEvent(event, { stream, revision: null })],
  };
  try {
    const reads = await isAllowed(recordsOf(client, client.readAll(last), url.timeoutMs));
    const appends = await isAllowed(new BatchAppends(client).append(append, url.timeoutMs));
    return [...(reads ? (['read'] as const) : []), ...(appends ? (['append'] as const) : [])];
  } finally {
    await client.close();
  }
};

/** A conflict is an answer, too. */
const isAllowed = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'denied') throw failure;
    return false;
  }
};
