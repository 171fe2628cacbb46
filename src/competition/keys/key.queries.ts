/** Queries on API keys, and the check of a key. */

import { Query } from '@nestjs/cqrs';
import type { KeyPurpose } from '../../domain/key-purposes.js';
import type { ContestRef } from '../../domain/references.js';
import { ContestQuery } from '../contest-query.js';

export interface ApiKeyView {
  readonly keyId: string;
  readonly competitionId: string;
  readonly device: string;
  readonly purpose: KeyPurpose;
  readonly state: 'active' | 'revoked' | 'ended';
  /** Why the key is not active: an organiser revoked it, or its contest was finished or deleted. */
  readonly reason: 'revoked' | 'finished' | 'deleted' | null;
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  readonly endedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly accepted: number;
  readonly refused: number;
}

export class ListKeys extends ContestQuery<readonly ApiKeyView[]> {}

/** The holder of a valid key. */
export interface KeyHolder extends ContestRef {
  readonly keyId: string;
  readonly device: string;
  readonly purpose: KeyPurpose;
}

/**
 * Reads the key's own stream, never a projection. Throws RejectedError `key-missing`, `key-unknown`, `key-revoked`,
 * `key-ended`.
 */
export class AuthenticateKey extends Query<KeyHolder> {
  constructor(
    readonly key: string | null,
    /**
     * Reads the tail of the key's stream. Otherwise a cached state is used, at most 250 ms behind other processes.
     */
    readonly fresh = false,
  ) {
    super();
  }
}
