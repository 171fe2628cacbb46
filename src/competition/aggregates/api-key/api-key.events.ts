/**
 * The events of an API key. A key belongs to one contest and has one purpose for good, and only the hash of its secret is
 * stored.
 */
import type { EventKinds } from '../../../domain/decider.js';
import type { KeyPurpose } from '../../../domain/key-purposes.js';
import type { StreamCategory } from '../../../domain/streams.js';

export const apiKeyStream: StreamCategory<string> = { name: 'api-key', id: 'text' };

export type ApiKeyEvent =
  | {
      readonly type: 'ApiKeyIssued';
      readonly data: {
        readonly keyId: string;
        readonly spaceId: string;
        readonly competitionId: string;
        /** The organiser's name for the device or program that uses the key. */
        readonly device: string;
        /** Missing: `entry`. */
        readonly purpose?: KeyPurpose;
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
