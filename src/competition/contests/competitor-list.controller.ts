/**
 * GET and PUT of a contest's competitor list. Everybody may read it. The moderators of the contest replace it, and programs
 * with an API key for it.
 */

import { Controller, Get, Put, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { tags } from '../../domain/tags.js';
import { satisfiesIfMatch } from '../../http/message/headers.js';
import { API_OF_SPACE } from '../../http/message/space-segment.js';
import { KeyOrSession, Problems, PublicRead } from '../../http/openapi/openapi-decorators.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import { ByteCache, ReadyReply } from '../../http/replies/ready-reply.js';
import { AtContest, type ContestExchange } from '../contest-access.js';
import { Contest, contestParam } from '../contest-paths.js';
import {
  type CompetitorListView,
  GetCompetitorList,
  type ListedCompetitorView,
  ReplaceCompetitors,
} from './competitor-list.commands.js';
import { CompetitorRowBody, ListedCompetitorDto, readCompetitorList } from './competitor-list.dto.js';
import { ListWriter } from './list-writer.js';

@ApiTags('competitions')
@Controller(API_OF_SPACE.map((start) => `${start}/competitions/:competitionId/competitors`))
export class CompetitorListController {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
    private readonly cache: ByteCache,
    private readonly writer: ListWriter,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the competitors who are registered for a contest' })
  @PublicRead({
    description: 'By number; empty for a contest without a list',
    type: ListedCompetitorDto,
    isArray: true,
  })
  @contestParam
  list(@Contest() contest: ContestRef, @Res() reply: FastifyReply): Promise<void> {
    const key = tags.competitors(contest);
    const make = async (): Promise<ReadyReply> => this.cache.get(key) ?? this.shown(contest, key);
    return this.ready.answer(reply.request, reply, { key, make });
  }

  /** The first reading tells whose tags the reply carries. Only the second one is cached, as they are watched then. */
  private async shown(contest: ContestRef, key: string): Promise<ReadyReply> {
    const { competitors } = await this.queries.execute(new GetCompetitorList(contest));
    const persons = competitors.map(({ person }) => tags.person(person.id));
    return this.cache.getOrMake(key, [key, tags.contest(contest), ...persons], async () =>
      replyOf(await this.queries.execute(new GetCompetitorList(contest))),
    );
  }

  @Put()
  @ApiOperation({
    summary: 'Replace the competitor list of a contest',
    description:
      'By a moderator, or with an API key of the contest whose purpose is competitors. Who is not in it is dropped. A number never changes and is never given to another person.',
  })
  @KeyOrSession()
  @contestParam
  @ApiHeader({
    name: 'If-Match',
    required: true,
    description: 'The ETag of the list that this one replaces, or * for any',
  })
  @ApiBody({ type: CompetitorRowBody, isArray: true })
  @ApiResponse({
    status: 200,
    type: ListedCompetitorDto,
    isArray: true,
    description: 'The list as it is now',
  })
  @Problems(400, 401, 403, 404, 412, 413, 415, 422, 429, 503)
  async replace(@AtContest() at: ContestExchange): Promise<readonly ListedCompetitorView[]> {
    const { contest, request, reply } = at;
    const ofWriters = new GetCompetitorList(contest, true);
    const after = await this.writer.write(at, async (context) => {
      const before = await this.queries.execute(ofWriters);
      const rows = readCompetitorList(request.body);
      const seen = seenBy(request.headers['if-match'], before);
      await this.commands.execute(new ReplaceCompetitors(contest, rows, seen, context), reply);
      return this.queries.execute(ofWriters);
    });
    reply.header('ETag', replyOf(after).etag);
    return after.competitors;
  }
}

const replyOf = ({ competitors }: CompetitorListView): ReadyReply =>
  new ReadyReply(Buffer.from(JSON.stringify(competitors)));

/** The change up to which the client has seen the list; null: any. Throws RejectedError `competitors-changed`. */
const seenBy = (ifMatch: string | undefined, list: CompetitorListView): number | null => {
  if (ifMatch === undefined) {
    const message = 'If-Match must be the ETag of the list that this one replaces, or *';
    throw invalidRequest([{ field: 'If-Match', rule: 'required', message }]);
  }
  if (ifMatch.trim() === '*') return null;
  if (satisfiesIfMatch(ifMatch, replyOf(list).etag)) return list.changes;
  const detail = 'the competitor list is another one by now: read it again, then replace that one';
  throw new RejectedError({ code: 'competitors-changed', detail });
};
