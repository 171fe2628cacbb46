/** The competitors of a contest and their numbers, for those who run it. */

import { Body, Get, HttpCode, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import type { ContestRef } from '../../domain/references.js';
import { readBody } from '../../http/body/body.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import { Contest, contestParam } from '../contest-paths.js';
import { CompetitorDto, NumberCompetitorsBody } from './competitor.dto.js';
import { NumberCompetitors } from './contest.commands.js';
import { type CompetitorView, ListCompetitors } from './contest.queries.js';

@Moderation('contests/:competitionId/competitors')
export class CompetitorsModerationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the competitors of a contest: who has a number there, or a result' })
  @contestParam
  @ApiResponse({ status: 200, type: CompetitorDto, isArray: true, description: 'By number, then by name' })
  @Problems(400, 401, 403, 404, 503)
  async list(
    @Contest() contest: ContestRef,
    @Req() request: FastifyRequest,
  ): Promise<readonly CompetitorView[]> {
    await this.signedIn.moderatorOf(request, contest);
    return this.queries.execute(new ListCompetitors(contest));
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Give competitors their numbers; who has one keeps it' })
  @contestParam
  @ApiBody({ type: NumberCompetitorsBody })
  @ApiResponse({ status: 200, type: CompetitorDto, isArray: true, description: 'All competitors' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  async number(
    @Contest() contest: ContestRef,
    @Body() body: unknown,
    @Http() { request, reply }: HttpExchange,
  ): Promise<readonly CompetitorView[]> {
    const account = await this.signedIn.moderatorOf(request, contest);
    const { personIds } = readBody(body, NumberCompetitorsBody);
    const command = new NumberCompetitors(contest, personIds, contextOf(account, request));
    const { position } = await this.commands.execute(command);
    await this.readYourWrites.waitUntilVisible(position, reply);
    return this.queries.execute(new ListCompetitors(contest));
  }
}
