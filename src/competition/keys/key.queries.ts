/** Queries on API keys, and the check that result entry makes of one. */

import { Query } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';

export interface ApiKeyView {
  readonly keyId: string;
  readonly competitionId: string;
  readonly device: string;
  readonly state: 'active' | 'revoked' | 'ended';
  /** Why it is not active any more: an organiser took it back, or its contest was finished or deleted. */
  readonly reason: 'revoked' | 'finished' | 'deleted' | null;
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  readonly endedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly accepted: number;
  readonly refused: number;
}

export class ListKeys extends Query<readonly ApiKeyView[]> {
  constructor(readonly contest: ContestRef) {
    super();
  }
}

/** Who a good key is. */
export interface KeyHolder extends ContestRef {
  readonly keyId: string;
  readonly device: string;
}

/**
 * Answers from the key's own stream, never from a projection. Throws RejectedError `key-missing`, `key-unknown`,
 * `key-revoked`, `key-ended`.
 */
export class AuthenticateKey extends Query<KeyHolder> {
  constructor(
    readonly key: string | null,
    /** Looks at the key's stream even where a cached state (250 ms behind other processes at most) would do. */
    readonly fresh = false,
  ) {
    super();
  }
}
