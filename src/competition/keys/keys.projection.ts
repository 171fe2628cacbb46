/** The API keys of each contest, for the lists of organisers. The check of a key never reads this. */

import { domainEvent } from '../../domain/decider.js';
import type { KeyPurpose } from '../../domain/key-purposes.js';
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type ApiKeyEvent, apiKeyEvents, apiKeyStream } from '../aggregates/api-key/api-key.events.js';

/** An organiser revoked it, or its contest was finished or deleted. */
export type KeyEndReason = 'revoked' | 'finished' | 'deleted';

/** Its id is the key's id. */
export interface KeyDocument extends Document {
  readonly spaceId: string;
  readonly competitionId: string;
  readonly device: string;
  readonly purpose: KeyPurpose;
  readonly state: 'active' | 'revoked' | 'ended';
  /** Null: it is active. */
  readonly reason: KeyEndReason | null;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly endedAt: number | null;
}

export const keys: Collection<KeyDocument> = {
  name: 'keys',
  indexes: { byContest: ['spaceId', 'competitionId', 'issuedAt'] },
};

export const keysProjection: Projection = {
  name: 'keys',
  version: 3,
  collections: [keys],
  eventTypes: Object.keys(apiKeyEvents),

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const keyId = idIn(apiKeyStream, event.subject);
    if (keyId === null) return;
    const happened = domainEvent<ApiKeyEvent>(event);
    switch (happened.type) {
      case 'ApiKeyIssued': {
        const { spaceId, competitionId, device, purpose = 'entry' } = happened.data;
        const issuedAt = event.recordedAt;
        session.put(keys, {
          id: keyId,
          spaceId,
          competitionId,
          device,
          purpose,
          state: 'active',
          reason: null,
          issuedAt,
          endedAt: null,
        });
        break;
      }
      case 'ApiKeyRevoked':
        await end(event, keyId, { state: 'revoked', reason: 'revoked' }, session);
        break;
      case 'ApiKeyEnded':
        await end(
          event,
          keyId,
          { state: 'ended', reason: happened.data.reason === 'finish' ? 'finished' : 'deleted' },
          session,
        );
        break;
      default:
        happened satisfies never;
    }
    session.touch(() => tags.key(keyId));
  },
};

/** Ignores a key that ended before it was issued: it was never listed. */
const end = async (
  event: ProjectedEvent,
  keyId: string,
  ending: Pick<KeyDocument, 'state' | 'reason'>,
  session: ProjectionSession,
): Promise<void> => {
  const key = await session.get(keys, keyId);
  if (key?.state === 'active') session.put(keys, { ...key, ...ending, endedAt: event.recordedAt });
};
