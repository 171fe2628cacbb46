/** GET competitions: the contests of a space, and one contest with its rounds and results. */

import { applyDecorators, Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ContestRef } from '../../domain/references.js';
import { tags } from '../../domain/tags.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { regionQuery, regionRule } from '../../http/body/region-rule.js';
import { linkToNext } from '../../http/message/paths.js';
import { API_OF_SPACE, SpaceId } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { Contest } from '../contest-paths.js';
import { ContestDto, ContestSummaryDto } from './contest.dto.js';
import { GetContest, ListContests } from './contest.queries.js';

const MAX_CONTESTS = 1_000;

const ListDocs = applyDecorators(
  ApiOperation({ summary: 'List the contests of a space' }),
  PublicRead({
    description: 'Newest start date first, then by id; drafts and deleted ones are left out',
    type: ContestSummaryDto,
    isArray: true,
    headers: {
      'X-Total-Count': { description: 'Contests in the whole list', schema: { type: 'integer' } },
      Link: { description: 'URL of the next part, rel="next"', schema: { type: 'string' } },
    },
  }),
  ApiQuery({
    name: 'eventId',
    required: false,
    description: 'Only contests that have this event',
    example: '333',
  }),
  regionQuery,
  ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_CONTESTS },
  }),
  ApiQuery({ name: 'after', required: false, description: 'Continues after it; see the header Link' }),
);

@ApiTags('competitions')
@Controller(API_OF_SPACE)
export class ContestsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('competitions')
  @ListDocs
  list(@SpaceId() spaceId: string, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const { filter, page } = readList(query);
    return this.ready.answerView(reply.request, reply, {
      // The Link header repeats the request URL.
      key: `${tags.contests(spaceId)} ${reply.request.url}`,
      tags: [tags.contests(spaceId), tags.events(spaceId)],
      view: async () => {
        const list = await this.queries.execute(new ListContests({ spaceId, ...filter }, page));
        const headers = ['X-Total-Count', String(list.total)];
        if (list.next !== null) headers.push('Link', linkToNext(reply.request.url, list.next));
        return { json: list.items, headers };
      },
    });
  }

  @Get('competitions/:competitionId')
  @ApiOperation({ summary: 'Get a contest of a space' })
  @PublicRead({ description: 'The contest with its rounds and results', type: ContestDto })
  @ApiParam({ name: 'competitionId', type: String, example: 'IrishChampionship2023' })
  get(@Contest() contest: ContestRef, @Res() reply: FastifyReply): Promise<void> {
    return this.ready.answerView(reply.request, reply, {
      key: tags.contest(contest),
      tags: [tags.contest(contest), tags.events(contest.spaceId)],
      view: async () => ({ json: await this.queries.execute(new GetContest(contest)) }),
    });
  }
}

const readList = (query: Fields) => {
  const fields = new FieldReader(query);
  const eventId = fields.text('eventId', 'an event id');
  const region = fields.read<string | null>('region', regionRule, null);
  const limit = fields.integer('limit', { from: 1, to: MAX_CONTESTS }, 0);
  const after = fields.text('after', 'the id of a contest');
  fields.check();
  return {
    filter: { ...(eventId !== null && { eventId }), ...(region !== null && { region }) },
    page: { ...(limit > 0 && { limit }), ...(after !== null && { after }) },
  };
};
