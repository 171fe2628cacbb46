/** The metadata of an event, as its row holds it. */
import type { EventMetadata } from '../../../foundation/event-store/event-store.js';

/** Metadata as a row holds it. */
export type StoredMetadata = readonly [
  schema: number,
  actor: string,
  correlationId: string,
  keyId?: string | null,
  causationId?: string | null,
  accountId?: string | null,
];

export const encodeMetadata = ({
  schema,
  actor,
  correlationId,
  keyId,
  causationId,
  accountId,
}: EventMetadata): string => {
  if (accountId !== undefined)
    return JSON.stringify([schema, actor, correlationId, keyId ?? null, causationId ?? null, accountId]);
  if (causationId !== undefined)
    return JSON.stringify([schema, actor, correlationId, keyId ?? null, causationId]);
  return JSON.stringify(
    keyId === undefined ? [schema, actor, correlationId] : [schema, actor, correlationId, keyId],
  );
};
