/** The API keys of a contest over HTTP, for its moderators: listing them with their use, issuing and revoking. */

import { Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { RejectedError } from '../../domain/rejections.js';
import { readBody } from '../../http/body/body.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { AtContest, ContestAccess, type ContestExchange } from '../contest-access.js';
import { contestParam } from '../contest-paths.js';
import { IssueKey, RevokeKey } from './key.commands.js';
import { ApiKeyDto, IssuedKeyDto, NewKeyBody } from './key.dto.js';
import { type ApiKeyView, ListKeys } from './key.queries.js';

@Moderation('contests/:competitionId/keys')
export class KeysModerationController {
  constructor(private readonly access: ContestAccess) {}

  @Get()
  @ApiOperation({ summary: 'List the API keys of a contest, with their use; also those that have ended' })
  @contestParam
  @ApiResponse({ status: 200, type: ApiKeyDto, isArray: true, description: 'The keys, oldest first' })
  @Problems(400, 401, 403, 503)
  list(@AtContest() at: ContestExchange): Promise<readonly ApiKeyView[]> {
    return this.access.query(at, (contest) => new ListKeys(contest));
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Issue an API key for one device or program' })
  @contestParam
  @ApiBody({ type: NewKeyBody })
  @ApiResponse({ status: 201, type: IssuedKeyDto, description: 'The key, which no later reply shows' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  async issue(@AtContest() at: ContestExchange): Promise<IssuedKeyDto> {
    const { keyId, key, device, purpose } = await this.access.execute(at, (contest, context) => {
      const { device, purpose } = readBody(at.request.body, NewKeyBody);
      return new IssueKey(contest, device, context, purpose ?? 'entry');
    });
    return { keyId, key, competitionId: at.contest.competitionId, device, purpose };
  }

  @Delete(':keyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke an API key, at once and for good' })
  @contestParam
  @ApiParam({ name: 'keyId', example: '4f9k2mq7x01b' })
  @ApiResponse({ status: 204, description: 'The key is revoked; also when it already was' })
  @Problems(400, 401, 403, 404, 503)
  async revoke(
    @AtContest() at: ContestExchange,
    @Param() { keyId }: { readonly keyId: string },
  ): Promise<void> {
    await this.access.execute(at, (contest, context) => {
      if (!/^[a-z0-9]{1,64}$/.test(keyId))
        throw new RejectedError({ code: 'key-not-found', detail: 'the contest has no such key' });
      return new RevokeKey(keyId, context, contest);
    });
  }
}
