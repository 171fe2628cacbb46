/**
 * Issues and revokes API keys. A key is first recorded on its contest's stream, then issued on its own
 * stream. So an ending between the two steps finds the key and ends it before a device can use it.
 */

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import { CredentialCommandHandler } from '../../foundation/credentials/credential-command.handler.js';
import { API_KEY_TEXT, hashSecret } from '../../foundation/credentials/credential-text.js';
import { apiKeyAggregate, deviceProblem } from '../aggregates/api-key/api-key.decider.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { type IssuedKey, IssueKey, RevokeKey } from './key.commands.js';

@CommandHandler(IssueKey)
export class IssueKeyHandler extends CredentialCommandHandler implements ICommandHandler<IssueKey> {
  async execute({ contest, device, context, purpose }: IssueKey): Promise<IssuedKey> {
    const message = deviceProblem(device);
    if (message !== null) throw new RejectedError(invalid([{ field: 'device', rule: 'name', message }]));
    const text = API_KEY_TEXT.make();
    const keyId = text.id;
    const record = { type: 'RecordKey', keyId } as const;
    accepted(await this.aggregates.execute(contestAggregate, contest, record, context));
    const { spaceId, competitionId } = contest;
    const secretHash = hashSecret(text.secret);
    const issue = {
      type: 'IssueApiKey',
      keyId,
      spaceId,
      competitionId,
      device,
      purpose,
      secretHash,
    } as const;
    const { position } = accepted(await this.aggregates.execute(apiKeyAggregate, keyId, issue, context));
    await this.audit.note({ action: 'key-issued', spaceId, subject: keyId }, context);
    return { keyId, device, purpose, key: API_KEY_TEXT.write(text), position };
  }
}

@CommandHandler(RevokeKey)
export class RevokeKeyHandler extends CredentialCommandHandler implements ICommandHandler<RevokeKey> {
  async execute({ keyId, context, contest }: RevokeKey): Promise<Receipt> {
    if (contest !== undefined) await this.#requireKeyOf(contest, keyId);
    const command = { type: 'RevokeApiKey' } as const;
    const { position, state } = accepted(
      await this.aggregates.execute(apiKeyAggregate, keyId, command, context),
    );
    const spaceId = state.issued?.spaceId ?? null;
    await this.audit.note({ action: 'key-revoked', spaceId, subject: keyId }, context);
    return { position };
  }

  /** A key belongs to one contest for good, so this answer stays true. */
  async #requireKeyOf({ spaceId, competitionId }: ContestRef, keyId: string): Promise<void> {
    const { state } = await this.aggregates.load(apiKeyAggregate, keyId, { fresh: true });
    if (state.issued?.spaceId === spaceId && state.issued.competitionId === competitionId) return;
    throw new RejectedError({ code: 'key-not-found', detail: `the contest has no key ${keyId}` });
  }
}

export const keyCommandHandlers = [IssueKeyHandler, RevokeKeyHandler];
