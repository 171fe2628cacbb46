/** The API keys of a contest, for those who run it: listing them with their use, issuing and revoking. */

import { Body, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { readBody } from '../../http/body/body.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import { Contest, contestParam } from '../contest-paths.js';
import { IssueKey, RevokeKey } from './key.commands.js';
import { ApiKeyDto, IssuedKeyDto, NewKeyBody } from './key.dto.js';
import { type ApiKeyView, ListKeys } from './key.queries.js';

@Moderation('contests/:competitionId/keys')
export class KeysModerationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the API keys of a contest, with their use; also those that have ended' })
  @contestParam
  @ApiResponse({ status: 200, type: ApiKeyDto, isArray: true, description: 'Oldest first' })
  @Problems(400, 401, 403, 503)
  async list(@Contest() contest: ContestRef, @Req() request: FastifyRequest): Promise<readonly ApiKeyView[]> {
    await this.signedIn.moderatorOf(request, contest);
    return this.queries.execute(new ListKeys(contest));
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Issue an API key for one device' })
  @contestParam
  @ApiBody({ type: NewKeyBody })
  @ApiResponse({ status: 201, type: IssuedKeyDto, description: 'With the key, which is shown this once' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  async issue(
    @Contest() contest: ContestRef,
    @Body() body: unknown,
    @Http() { request, reply }: HttpExchange,
  ): Promise<IssuedKeyDto> {
    const account = await this.signedIn.moderatorOf(request, contest);
    const { device } = readBody(body, NewKeyBody);
    const issued = await this.commands.execute(new IssueKey(contest, device, contextOf(account, request)));
    await this.readYourWrites.waitUntilVisible(issued.position, reply);
    return { keyId: issued.keyId, key: issued.key, competitionId: contest.competitionId, device };
  }

  @Delete(':keyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke an API key, at once and for good' })
  @contestParam
  @ApiParam({ name: 'keyId', example: '4f9k2mq7x01b' })
  @ApiResponse({ status: 204, description: 'It is not good any more; also when it was not before' })
  @Problems(400, 401, 403, 404, 503)
  async revoke(
    @Contest() contest: ContestRef,
    @Param() { keyId }: { readonly keyId: string },
    @Http() { request, reply }: HttpExchange,
  ): Promise<void> {
    const account = await this.signedIn.moderatorOf(request, contest);
    if (!/^[a-z0-9]{1,64}$/.test(keyId))
      throw new RejectedError({ code: 'key-not-found', detail: 'the contest has no such key' });
    const command = new RevokeKey(keyId, contextOf(account, request), contest);
    const { position } = await this.commands.execute(command);
    await this.readYourWrites.waitUntilVisible(position, reply);
  }
}
