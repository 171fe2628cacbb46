/**
 * Lists the API keys of a contest with their use, from the read models, and checks the key of a device, on the key's own
 * stream.
 */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Rejection } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { CredentialCheck, type CredentialKind } from '../../foundation/credentials/credential-check.js';
import { API_KEY_TEXT, secretMatches } from '../../foundation/credentials/credential-text.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import {
  type ApiKeyCommand,
  type ApiKeyState,
  apiKeyAggregate,
} from '../aggregates/api-key/api-key.decider.js';
import type { ApiKeyEvent } from '../aggregates/api-key/api-key.events.js';
import { type ApiKeyView, AuthenticateKey, type KeyHolder, ListKeys } from './key.queries.js';
import { keys } from './keys.projection.js';

const instant = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

/** Oldest first. */
@QueryHandler(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(OPERATIONAL_STORE) private readonly store: OperationalStore,
  ) {}

  async execute({ contest: { spaceId, competitionId } }: ListKeys): Promise<readonly ApiKeyView[]> {
    const issued = await this.readModels.snapshot((view) =>
      view.scan(keys, { index: 'byContest', equals: { spaceId, competitionId } }),
    );
    const uses = await this.store.keyUses(issued.map(({ id }) => id));
    return issued.map(({ id, device, purpose, state, reason, issuedAt, endedAt }) => {
      const use = uses.get(id);
      return {
        keyId: id,
        competitionId,
        device,
        purpose,
        state,
        reason,
        issuedAt: new Date(issuedAt).toISOString(),
        endedAt: instant(endedAt),
        lastUsedAt: instant(use?.lastUsedAt ?? null),
        accepted: use?.accepted ?? 0,
        refused: use?.refused ?? 0,
      };
    });
  }
}

const UNKNOWN: Rejection = { code: 'key-unknown', detail: 'the API key is not known' };

const apiKeys: CredentialKind<ApiKeyState, ApiKeyCommand, ApiKeyEvent, KeyHolder> = {
  text: API_KEY_TEXT,
  aggregate: apiKeyAggregate,
  missing: { code: 'key-missing', detail: 'send an API key in the x-api-key header' },
  unknown: UNKNOWN,
  holderOf: ({ issued, phase }, secret) => {
    if (issued === null || !secretMatches(secret, issued.secretHash)) return UNKNOWN;
    if (phase === 'revoked') return { code: 'key-revoked', detail: 'the API key was revoked' };
    if (phase === 'ended') return { code: 'key-ended', detail: 'the API key ended with its contest' };
    const { keyId, spaceId, competitionId, device, purpose = 'entry' } = issued;
    return { keyId, spaceId, competitionId, device, purpose };
  },
};

@QueryHandler(AuthenticateKey)
export class AuthenticateKeyHandler implements IQueryHandler<AuthenticateKey> {
  readonly #check: CredentialCheck<ApiKeyState, ApiKeyCommand, ApiKeyEvent, KeyHolder>;

  constructor(@Inject(AGGREGATES) aggregates: AggregateRuntime) {
    this.#check = new CredentialCheck(aggregates, apiKeys);
  }

  execute({ key, fresh }: AuthenticateKey): Promise<KeyHolder> {
    return this.#check.holder(key, { fresh });
  }
}

export const keyQueryHandlers = [ListKeysHandler, AuthenticateKeyHandler];
