/** GET records/recent: the newest records of a space, as JSON in pages and as an Atom feed. */
import { applyDecorators, Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { isDate } from '../../domain/ids.js';
import { CATEGORIES } from '../../domain/rankings.js';
import { tags } from '../../domain/tags.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { regionQuery, regionRule } from '../../http/body/region-rule.js';
import { linkToNext } from '../../http/message/paths.js';
import { API_OF_SPACE, SpaceId } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { ReadyReply } from '../../http/replies/ready-reply.js';
import { ListRecentRecords } from './recent.queries.js';
import { MAX_RECENT, type RecentFilter, type RecentPlace, type RecentRange } from './recent-records.js';
import { RecentRecordDto } from './record.dto.js';
import { ATOM_TYPE, atomFeed } from './record-feed.js';
import { GetRecordFeed } from './record-feed.queries.js';

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

const FilterDocs = applyDecorators(
  ApiQuery({ name: 'category', required: false, enum: CATEGORIES, description: 'Default: all' }),
  regionQuery,
);
const ListDocs = applyDecorators(
  ApiOperation({ summary: 'List the newest records of a space' }),
  FilterDocs,
  ApiQuery({
    name: 'since',
    required: false,
    example: '2026-04-11',
    description:
      'Only records from this day or instant on (ISO 8601 with Z or an offset; a day begins in UTC)',
  }),
  ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE },
  }),
  ApiQuery({ name: 'after', required: false, description: 'Continues after it; see the header Link' }),
  PublicRead({
    description:
      `World, continental and national records, newest first, at most ${MAX_RECENT}. A record is as new as its entry, and ` +
      'at most as new as the end of its day. What is corrected away is gone from the list.',
    type: RecentRecordDto,
    isArray: true,
    headers: { Link: { description: 'URL of the next part, rel="next"', schema: { type: 'string' } } },
  }),
);
const FeedDocs = applyDecorators(
  ApiOperation({ summary: 'Get the newest records of a space as an Atom feed' }),
  FilterDocs,
  PublicRead({
    description: 'A feed (RFC 4287). An entry whose record is corrected away says so.',
    contentType: 'application/atom+xml',
  }),
);

@ApiTags('records')
@Controller(API_OF_SPACE)
export class RecentRecordsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
  ) {}

  @Get('records/recent')
  @ListDocs
  list(@SpaceId() spaceId: string, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const { filter, range } = readRecent(spaceId, query);
    // The Link header repeats the URL, as the feed does.
    const { url } = reply.request;
    return this.ready.answerView(reply.request, reply, {
      ...recentCacheEntry(spaceId, url),
      view: async () => {
        const { items, next } = await this.queries.execute(new ListRecentRecords(filter, range));
        return { json: items, headers: next === null ? [] : ['Link', linkToNext(url, placeText(next))] };
      },
    });
  }

  @Get('records/recent.atom')
  @FeedDocs
  feed(@SpaceId() spaceId: string, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const fields = new FieldReader(query);
    const filter = readFilter(spaceId, fields);
    fields.check();
    const { url } = reply.request;
    const kept = recentCacheEntry(spaceId, url);
    return this.ready.answerMade(reply.request, reply, {
      key: kept.key,
      tags: [...kept.tags, tags.withdrawnRecords(spaceId)],
      make: async () => {
        const feed = await this.queries.execute(new GetRecordFeed(filter));
        return new ReadyReply(Buffer.from(atomFeed(feed, url)), [], ATOM_TYPE);
      },
    });
  }
}

/** The cache key of a reply with these parameters, and the tags that invalidate it. */
export const recentCacheEntry = (spaceId: string, parameters: string) => ({
  key: `${tags.recentRecords(spaceId)} ${parameters}`,
  tags: [tags.recentRecords(spaceId), tags.events(spaceId)],
});

/** Reads the query of the list. */
export const readRecent = (
  spaceId: string,
  query: Fields,
): { readonly filter: RecentFilter; readonly range: RecentRange } => {
  const fields = new FieldReader(query);
  const filter = readFilter(spaceId, fields);
  const since = fields.read('since', timeRule, 0);
  const limit = fields.integer('limit', { from: 1, to: MAX_PAGE }, DEFAULT_PAGE);
  const after = fields.read<RecentPlace | null>('after', placeRule, null);
  fields.check();
  return { filter, range: { since, after, limit } };
};

const readFilter = (spaceId: string, fields: FieldReader): RecentFilter => ({
  spaceId,
  category: fields.oneOf('category', CATEGORIES, 'all'),
  region: fields.read<string | null>('region', regionRule, null),
});

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

const timeRule = {
  name: 'time',
  allowed: 'a date such as 2026-04-11, or an instant such as 2026-04-11T09:30:00Z',
  read: (text: string): number | undefined => {
    if (!isDate(text.slice(0, 10)) || (text.length > 10 && !INSTANT.test(text))) return undefined;
    const time = Date.parse(text);
    return Number.isNaN(time) ? undefined : time;
  },
};

const PLACE = /^(\d{1,15})-(.+)$/;

/** Where a page ends, as the parameter `after` of the next one. */
export const placeText = ({ newsAt, recordId }: RecentPlace): string => `${newsAt}-${recordId}`;

const placeRule = {
  name: 'place',
  allowed: 'a value that a Link header of this list has',
  read: (text: string): RecentPlace | undefined => {
    const [, newsAt, recordId] = PLACE.exec(text) ?? [];
    return newsAt === undefined || recordId === undefined ? undefined : { newsAt: Number(newsAt), recordId };
  },
};
