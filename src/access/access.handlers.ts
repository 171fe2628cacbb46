/**
 * Issuing, revoking and checking API keys. A key is first recorded on its contest's stream, where an ending finds it, and only
 * then issued on its own: an ending that comes between ends the key before it could be used.
 */
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { contestAggregate } from '../contests/contest.decider.js';
import { invalid, RejectedError, type Rejection } from '../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../eventstore/aggregate.js';
import { accepted } from '../eventstore/outcome.js';
import type { Receipt } from '../rounds/round.commands.js';
import { type IssuedKey, IssueKey, RevokeKey } from './access.commands.js';
import { AuthenticateKey, type KeyHolder } from './access.queries.js';
import { type ApiKeyState, apiKeyAggregate, deviceProblem } from './api-key.decider.js';
import { formatApiKey, hashSecret, newApiKey, parseApiKey, secretMatches } from './api-key-text.js';

@CommandHandler(IssueKey)
export class IssueKeyHandler implements ICommandHandler<IssueKey> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest, device, context }: IssueKey): Promise<IssuedKey> {
    const message = deviceProblem(device);
    if (message !== null) throw new RejectedError(invalid([{ field: 'device', rule: 'name', message }]));
    const text = newApiKey();
    const { keyId } = text;
    const record = { type: 'RecordKey', keyId } as const;
    accepted(await this.aggregates.execute(contestAggregate, contest, record, context));
    const { spaceId, competitionId } = contest;
    const secretHash = hashSecret(text.secret);
    const issue = { type: 'IssueApiKey', keyId, spaceId, competitionId, device, secretHash } as const;
    const { position } = accepted(await this.aggregates.execute(apiKeyAggregate, keyId, issue, context));
    return { keyId, key: formatApiKey(text), position };
  }
}

@CommandHandler(RevokeKey)
export class RevokeKeyHandler implements ICommandHandler<RevokeKey> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ keyId, context }: RevokeKey): Promise<Receipt> {
    const command = { type: 'RevokeApiKey' } as const;
    const { position } = accepted(await this.aggregates.execute(apiKeyAggregate, keyId, command, context));
    return { position };
  }
}

const UNKNOWN: Rejection = { code: 'key-unknown', detail: 'the API key is not known' };

/** Who the key is in this state, or why it is nobody. */
const holderOf = (state: ApiKeyState, secret: string): KeyHolder | Rejection => {
  const { issued, phase } = state;
  if (issued === null || !secretMatches(secret, issued.secretHash)) return UNKNOWN;
  if (phase === 'revoked') return { code: 'key-revoked', detail: 'the API key was revoked' };
  if (phase === 'ended') return { code: 'key-ended', detail: 'the API key ended with its contest' };
  const { keyId, spaceId, competitionId, device } = issued;
  return { keyId, spaceId, competitionId, device };
};

/** A refusal from a cached state is confirmed against the stream: a key may have been issued elsewhere a moment ago. */
interface VerifiedKey {
  readonly state: ApiKeyState;
  readonly holder: KeyHolder;
}

const MOST_VERIFIED = 10_000;

@QueryHandler(AuthenticateKey)
export class AuthenticateKeyHandler implements IQueryHandler<AuthenticateKey> {
  /** Devices send the same key again and again: as long as its state is the very same, its hash need not be made again. */
  readonly #verified = new LRUCache<string, VerifiedKey>({ max: MOST_VERIFIED });

  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ key, fresh }: AuthenticateKey): Promise<KeyHolder> {
    if (key === null || key === '')
      throw new RejectedError({ code: 'key-missing', detail: 'send an API key in the x-api-key header' });
    const verified = fresh ? undefined : this.#verified.get(key);
    if (verified) {
      const { state } = await this.aggregates.load(apiKeyAggregate, verified.holder.keyId);
      if (state === verified.state) return verified.holder;
    }
    return this.#verify(key, fresh);
  }

  async #verify(key: string, fresh: boolean): Promise<KeyHolder> {
    const text = parseApiKey(key);
    if (text === null) throw new RejectedError(UNKNOWN);
    if (!fresh) {
      const known = await this.aggregates.load(apiKeyAggregate, text.keyId);
      const holder = holderOf(known.state, text.secret);
      if (!('code' in holder)) {
        this.#verified.set(key, { state: known.state, holder });
        return holder;
      }
    }
    const current = await this.aggregates.load(apiKeyAggregate, text.keyId, { fresh: true });
    const confirmed = holderOf(current.state, text.secret);
    if ('code' in confirmed) throw new RejectedError(confirmed);
    return confirmed;
  }
}

export const accessCommandHandlers = [IssueKeyHandler, RevokeKeyHandler];
export const accessQueryHandlers = [AuthenticateKeyHandler];
