/**
 * The public pages; contest-pages.controller.ts has more of a contest. Each is rendered from the queries of the API and
 * answered like a read: position, ETag, compression, ready bytes until something in it changes. It works before any script has
 * loaded.
 */
import { Controller, Get, NotFoundException, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Contest } from '../competition/contest-paths.js';
import { screenCacheEntry } from '../competition/hall/screens.controller.js';
import { DEFAULT_SCREEN } from '../competition/hall/screens.decider.js';
import { rankingKey } from '../competition/rankings/ranking.queries.js';
import { type RankingParams, readRanking } from '../competition/rankings/rankings.controller.js';
import { placeText, readRecent, recentCacheEntry } from '../competition/records/recent-records.controller.js';
import {
  type RecordParams,
  readRecord,
  readRecords,
  recordCacheEntry,
  recordsCacheEntry,
} from '../competition/records/records.controller.js';
import { isSpaceSlug } from '../domain/ids.js';
import type { ContestRef } from '../domain/references.js';
import { tags } from '../domain/tags.js';
import type { Fields } from '../http/body/fields.js';
import { regionRule } from '../http/body/region-rule.js';
import { baseOf, SpaceId } from '../http/message/space-segment.js';
import { filledIn, givenIn } from './page-fields.js';
import { CARD_HOLDERS, type ScoreCardsPage } from './page-models.js';
import { PageModels } from './page-models.service.js';
import { PageProblemFilter } from './page-problem.filter.js';
import { PageReplies } from './page-replies.js';

const MAX_ID = 999_999_999;

const CARDS_PATH = 'contests/:competitionId/scorecards/:eventId/:round';

const SCREEN_PATH = 'screen/:competitionId';

const SCHEDULE_PATH = 'contests/:competitionId/schedule';

interface CardsParams {
  readonly eventId: string;
  readonly round: string;
}

@ApiExcludeController()
@Controller()
@UseFilters(PageProblemFilter)
export class PagesController {
  constructor(
    private readonly models: PageModels,
    private readonly replies: PageReplies,
  ) {}

  @Get(['/', ':spaceId'])
  home(@SpaceId() spaceId: string, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.keep(
      reply,
      {
        key: `home ${spaceId}`,
        tags: [tags.contests(spaceId), tags.events(spaceId), tags.recentRecords(spaceId)],
      },
      () => this.models.home(spaceId),
    );
  }

  /** The target of the rankings form. Its fields come as a query, and the list has a path. */
  @Get(['rankings', ':spaceId/rankings'])
  async chosen(
    @SpaceId() spaceId: string,
    @Query() { eventId, type = 'single', category = 'all', ...query }: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    requireSpace(spaceId);
    const event = eventId ?? (await this.models.firstEvent(spaceId));
    if (event === null) throw new NotFoundException('This space has no events yet.');
    const path = [event, type, category].map(encodeURIComponent).join('/');
    const rest = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
    reply.redirect(`${baseOf(spaceId)}/rankings/${path}${rest.size > 0 ? `?${rest}` : ''}`, 302);
  }

  @Get(['rankings/:eventId/:type/:category', ':spaceId/rankings/:eventId/:type/:category'])
  rankings(
    @Param() params: RankingParams,
    @Query() query: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { list, topN } = readRanking(params, query);
    return this.replies.keep(
      reply,
      {
        key: rankingKey(list, topN),
        tags: [tags.ranking(list), tags.event(list.spaceId, list.eventId), tags.events(list.spaceId)],
      },
      () => this.models.rankings(list, topN),
      ({ entries }) => entries[topN - 1]?.result,
    );
  }

  /** With an event, this is the target of the form for one record. */
  @Get(['records', ':spaceId/records'])
  async records(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    requireSpace(spaceId);
    const { eventId, type = 'single', category = 'all', region } = givenIn(query);
    if (eventId !== undefined) {
      const { list, type: read } = readRecord({ spaceId, eventId, type, category }, { region });
      const path = [list.eventId, read, list.category].map(encodeURIComponent).join('/');
      const rest = list.region === null ? '' : `?region=${list.region}`;
      reply.redirect(`${baseOf(list.spaceId)}/records/${path}${rest}`, 302);
      return;
    }
    const list = readRecords({ spaceId, category }, { region });
    return this.replies.keep(reply, recordsCacheEntry(list), () => this.models.records(list));
  }

  @Get(['records/recent', ':spaceId/records/recent'])
  recentRecords(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { filter, range } = readRecent(spaceId, givenIn(query));
    const after = range.after && placeText(range.after);
    const kept = recentCacheEntry(spaceId, `${filter.category} ${filter.region ?? ''} ${after ?? ''}`);
    return this.replies.keep(reply, kept, () => this.models.recentRecords(filter, range.after));
  }

  @Get(['records/:eventId/:type/:category', ':spaceId/records/:eventId/:type/:category'])
  record(@Param() params: RecordParams, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const { list, type } = readRecord(params, query);
    const kept = recordCacheEntry(list, type);
    return this.replies.keep(reply, { key: kept.key, tags: [...kept.tags, tags.events(list.spaceId)] }, () =>
      this.models.record(list, type),
    );
  }

  @Get(['contests', ':spaceId/contests'])
  contests(@SpaceId() spaceId: string, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const { filter, after } = readFilter(query);
    return this.replies.keep(
      reply,
      {
        key: `${tags.contests(spaceId)} ${filter.eventId ?? ''} ${filter.region ?? ''} ${after ?? ''}`,
        tags: [tags.contests(spaceId), tags.events(spaceId)],
      },
      () => this.models.contests(spaceId, filter, after),
    );
  }

  @Get([SCHEDULE_PATH, `:spaceId/${SCHEDULE_PATH}`])
  schedule(@Contest() contest: ContestRef, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.keep(
      reply,
      { key: tags.schedule(contest), tags: [tags.schedule(contest), tags.events(contest.spaceId)] },
      () => this.models.schedule(contest),
    );
  }

  @Get([`${SCHEDULE_PATH}/:code`, `:spaceId/${SCHEDULE_PATH}/:code`])
  groups(
    @Contest() contest: ContestRef,
    @Param() { code }: { readonly code: string },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.replies.read(reply, () => this.models.groups(contest, code));
  }

  /** The cards lead to the origin that the reader used, so the page is not cached. */
  @Get([CARDS_PATH, `:spaceId/${CARDS_PATH}`])
  scoreCards(
    @Contest() contest: ContestRef,
    @Param() { eventId, round }: CardsParams,
    @Query() query: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!/^[1-9]\d?$/.test(round)) throw new NotFoundException(`There is no round ${round}.`);
    const key = { ...contest, eventId, roundNumber: Number(round) };
    const filter = readCards(query);
    const origin = originOf(reply);
    return this.replies.read(reply, () => this.models.scoreCards(key, { filter, origin }));
  }

  @Get([SCREEN_PATH, `${SCREEN_PATH}/:screen`, `:spaceId/${SCREEN_PATH}`, `:spaceId/${SCREEN_PATH}/:screen`])
  screen(
    @Contest() contest: ContestRef,
    @Param() { screen = DEFAULT_SCREEN.name }: { readonly screen?: string },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const kept = screenCacheEntry(contest, screen);
    return this.replies.keep(reply, { key: kept.key, tags: [...kept.tags, tags.schedule(contest)] }, () =>
      this.models.screen(contest, screen),
    );
  }

  /** Not cached: searches differ, and profiles change without an event. */
  @Get(['persons', ':spaceId/persons'])
  persons(@SpaceId() spaceId: string, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const fields = filledIn(query);
    const search = (fields.text('search', 'a part of a name or an association id') ?? '').trim();
    const after = fields.integer('after', { from: 1, to: MAX_ID }, 0);
    fields.check();
    return this.replies.read(reply, () => this.models.persons(spaceId, search, after));
  }

  /** Person ids are unique in the whole database, so the path needs no space. */
  @Get('persons/:personId')
  person(@Param('personId') personId: string, @Res() reply: FastifyReply): Promise<void> {
    if (!/^\d{1,15}$/.test(personId)) throw new NotFoundException(`There is no person ${personId}.`);
    return this.replies.read(reply, () => this.models.person(Number(personId)));
  }

  /** The page shows the origin that the reader used, so it is not cached. */
  @Get(['docs', ':spaceId/docs'])
  docs(@SpaceId() spaceId: string, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.read(reply, () => this.models.docs(spaceId, originOf(reply)));
  }

  @Get('*')
  nowhere(@Req() request: FastifyRequest): never {
    throw new NotFoundException(`There is no page ${request.url.slice(0, 200)}.`);
  }
}

const originOf = ({ request }: FastifyReply): string => `${request.protocol}://${request.host}`;

/** Refuses a name that no space can have: the redirect could lead to an API path. */
const requireSpace = (spaceId: string): void => {
  if (!isSpaceSlug(spaceId)) throw new NotFoundException(`There is no space ${spaceId}.`);
};

const MAX_BLANK_CARDS = 400;

const readCards = (query: Fields): ScoreCardsPage['filter'] => {
  const fields = filledIn(query);
  const who = fields.oneOf('who', CARD_HOLDERS, 'competitors');
  const blank = query.blank ? fields.integer('blank', { from: 0, to: MAX_BLANK_CARDS }, 0) : null;
  fields.check();
  return { who, blank };
};

const readFilter = (query: Fields) => {
  const fields = filledIn(query);
  const eventId = fields.text('eventId', 'an event id');
  const region = fields.read<string | null>('region', regionRule, null);
  const after = fields.text('after', 'the id of a contest');
  fields.check();
  return { filter: { eventId, region }, after };
};
