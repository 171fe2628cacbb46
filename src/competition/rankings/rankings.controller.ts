/**
 * GET rankings: one list, cut at topN, as ready bytes. The URL is stored with the cache key, so that the next request
 * for it is answered before routing while the bytes are valid.
 */
import { applyDecorators, Controller, Get, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import { CATEGORIES, RANKING_TYPES, type RankingList, SHOWS } from '../../domain/rankings.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { regionRule } from '../../http/body/region-rule.js';
import { API_OF_SPACE, type InSpace } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { RankingEntryDto } from './ranking.dto.js';
import { DEFAULT_TOP_N, GetRankings, MAX_TOP_N, rankingKey } from './ranking.queries.js';

export interface RankingParams extends InSpace {
  readonly eventId: string;
  readonly type: string;
  readonly category: string;
}

const RankingDocs = applyDecorators(
  ApiOperation({ summary: 'Get a ranking of a space' }),
  ApiParam({ name: 'eventId', example: '333' }),
  ApiParam({ name: 'type', enum: RANKING_TYPES }),
  ApiParam({ name: 'category', enum: CATEGORIES }),
  ApiQuery({ name: 'show', required: false, enum: SHOWS, description: 'Default: persons' }),
  ApiQuery({
    name: 'region',
    required: false,
    description: 'Country (ISO 3166-1 alpha-2) or XF XA XE XO XN XS; World when left out',
  }),
  ApiQuery({
    name: 'topN',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_TOP_N, default: DEFAULT_TOP_N },
  }),
  PublicRead({ description: 'The top entries', type: RankingEntryDto, isArray: true }),
);

@ApiTags('rankings')
@Controller(API_OF_SPACE)
export class RankingsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('results/rankings/:eventId/:type/:category')
  @RankingDocs
  get(@Param() params: RankingParams, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const { list, topN } = readRanking(params, query);
    return this.ready.answer(reply.request, reply, {
      key: rankingKey(list, topN),
      make: () => this.queries.execute(new GetRankings(list, topN)),
    });
  }
}

export const readRanking = (
  { spaceId = DEFAULT_SPACE, eventId, ...path }: RankingParams,
  query: Fields,
): { readonly list: RankingList; readonly topN: number } => {
  const { show, region, topN } = query;
  const fields = new FieldReader({ ...path, show, region, topN });
  const list = {
    spaceId,
    eventId,
    type: fields.oneOf('type', RANKING_TYPES, 'single'),
    category: fields.oneOf('category', CATEGORIES, 'all'),
    show: fields.oneOf('show', SHOWS, 'persons'),
    region: fields.read<string | null>('region', regionRule, null),
  };
  const top = fields.integer('topN', { from: 1, to: MAX_TOP_N }, DEFAULT_TOP_N);
  fields.check();
  return { list, topN: top };
};
