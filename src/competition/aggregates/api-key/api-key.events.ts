/** The events of an API key. A key belongs to one contest for good, and only the hash of its secret is stored. */
import type { EventKinds } from '../../../domain/decider.js';
import type { StreamCategory } from '../../../domain/streams.js';

export const apiKeyStream: StreamCategory<string> = { name: 'api-key', id: 'text' };

export type ApiKeyEvent =
  | {
      readonly type: 'ApiKeyIssued';
      readonly data: {
        readonly keyId: string;
        readonly spaceId: string;
        readonly competitionId: string;
        /** The organiser's name for the device that uses the key. */
        readonly device: string;
        /** SHA-256 of the secret, hex. */
        readonly secretHash: string;
      };
    }
  | { readonly type: 'ApiKeyRevoked'; readonly data: Record<string, never> }
  /** The contest was finished or deleted: the key is invalid for good. */
  | { readonly type: 'ApiKeyEnded'; readonly data: { readonly reason: 'finish' | 'delete' } };

export const apiKeyEvents: EventKinds<ApiKeyEvent> = {
  ApiKeyIssued: 'control',
  ApiKeyRevoked: 'control',
  ApiKeyEnded: 'control',
};
