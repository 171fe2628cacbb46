/** GET records: the record holders of all events of a space, and the history of one record. */
import { applyDecorators, Controller, Get, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import { CATEGORIES, type RecordList } from '../../domain/rankings.js';
import { tags } from '../../domain/tags.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { regionQuery, regionRule } from '../../http/body/region-rule.js';
import { API_OF_SPACE, type InSpace } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { EventRecordsDto, RecordHistoryDto } from './record.dto.js';
import { GetRecordHistory, ListRecords, RECORD_TYPES, type RecordType } from './record.queries.js';

export interface RecordsParams extends InSpace {
  readonly category?: string;
}

export interface RecordParams extends RecordsParams {
  readonly eventId: string;
  readonly type: string;
}

const categoryParam = ApiParam({ name: 'category', enum: CATEGORIES });
const RecordsDocs = applyDecorators(
  ApiOperation({ summary: 'List the records of a space' }),
  categoryParam,
  regionQuery,
  PublicRead({
    description: 'Every event in display order with its present records',
    type: EventRecordsDto,
    isArray: true,
  }),
);
const RecordDocs = applyDecorators(
  ApiOperation({ summary: 'Get a record of a space, with its history' }),
  ApiParam({ name: 'eventId', example: '333' }),
  ApiParam({ name: 'type', enum: RECORD_TYPES }),
  categoryParam,
  regionQuery,
  PublicRead({ description: 'The record and its history', type: RecordHistoryDto }),
);

@ApiTags('records')
@Controller(API_OF_SPACE)
export class RecordsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('records/:category')
  @RecordsDocs
  list(@Param() params: RecordsParams, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const list = readRecords(params, query);
    return this.ready.answerView(reply.request, reply, {
      ...recordsCacheEntry(list),
      view: async () => ({ json: await this.queries.execute(new ListRecords(list)) }),
    });
  }

  @Get('records/:eventId/:type/:category')
  @RecordDocs
  get(@Param() params: RecordParams, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const { list, type } = readRecord(params, query);
    return this.ready.answerView(reply.request, reply, {
      ...recordCacheEntry(list, type),
      view: async () => ({ json: await this.queries.execute(new GetRecordHistory(list, type)) }),
    });
  }
}

/** The cache key of the reply, and the tags that invalidate it. */
export const recordsCacheEntry = (list: Omit<RecordList, 'eventId'>) => ({
  key: tags.allRecords(list),
  tags: [tags.allRecords(list), tags.events(list.spaceId)],
});

export const recordCacheEntry = (list: RecordList, type: RecordType) => ({
  key: `${tags.records(list)} ${type}`,
  tags: [tags.records(list), tags.event(list.spaceId, list.eventId)],
});

export const readRecords = (
  { spaceId = DEFAULT_SPACE, category }: RecordsParams,
  { region }: Fields,
): Omit<RecordList, 'eventId'> => {
  const fields = new FieldReader({ category, region });
  const list = { spaceId, ...readWhere(fields) };
  fields.check();
  return list;
};

export const readRecord = (
  { spaceId = DEFAULT_SPACE, eventId, type, category }: RecordParams,
  { region }: Fields,
): { readonly list: RecordList; readonly type: RecordType } => {
  const fields = new FieldReader({ type, category, region });
  const read = fields.oneOf('type', RECORD_TYPES, 'single');
  const list = { spaceId, eventId, ...readWhere(fields) };
  fields.check();
  return { list, type: read };
};

const readWhere = (fields: FieldReader): Pick<RecordList, 'category' | 'region'> => ({
  category: fields.oneOf('category', CATEGORIES, 'all'),
  region: fields.read<string | null>('region', regionRule, null),
});
