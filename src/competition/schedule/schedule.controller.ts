/** GET the schedule of a contest, its groups, and the schedule of one competitor, as JSON and as iCalendar. */
import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ContestRef } from '../../domain/references.js';
import { tags } from '../../domain/tags.js';
import { API_OF_SPACE } from '../../http/message/space-segment.js';
import { PublicRead } from '../../http/openapi/openapi-decorators.js';
import { ReadyReads } from '../../http/reads/ready-reads.js';
import { ByteCache, ReadyReply } from '../../http/replies/ready-reply.js';
import { Contest, competitorNumberOf, contestParam } from '../contest-paths.js';
import { GetCompetitorList } from '../contests/competitor-list.commands.js';
import { CompetitorScheduleDto, GroupDto, ScheduleDto } from './schedule.dto.js';
import { GetCalendar, GetCompetitorSchedule, GetGroups, GetSchedule } from './schedule.queries.js';

const CALENDAR = 'text/calendar';

const numberParam = ApiParam({
  name: 'number',
  schema: { type: 'integer', minimum: 1 },
  example: 17,
  description: 'The competitor number',
});
const calendarDoc = (description: string): MethodDecorator =>
  PublicRead({ description, contentType: CALENDAR, type: String });

interface OfCompetitor {
  readonly number: string;
}

@ApiTags('competitions')
@Controller(API_OF_SPACE.map((start) => `${start}/competitions/:competitionId`))
export class ScheduleController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ready: ReadyReads,
    private readonly cache: ByteCache,
  ) {}

  @Get('schedule')
  @ApiOperation({
    summary: 'Get the schedule of a contest',
    description: 'Clients compute what goes on now from the instants, so that the reply can be cached.',
  })
  @PublicRead({ description: 'Venues, rooms and activities with their groups', type: ScheduleDto })
  @contestParam
  schedule(@Contest() contest: ContestRef, @Res() reply: FastifyReply): Promise<void> {
    return this.ready.answerView(reply.request, reply, {
      key: tags.schedule(contest),
      tags: [tags.schedule(contest)],
      view: async () => ({ json: await this.queries.execute(new GetSchedule(contest)) }),
    });
  }

  @Get('schedule.ics')
  @ApiOperation({ summary: 'Get the schedule of a contest as iCalendar, without groups' })
  @calendarDoc('RFC 5545, with expected times in UTC')
  @contestParam
  calendar(@Contest() contest: ContestRef, @Res() reply: FastifyReply): Promise<void> {
    return this.ready.answerMade(reply.request, reply, {
      key: `calendar ${tags.schedule(contest)}`,
      tags: [tags.schedule(contest), tags.assignments(contest)],
      make: async () => calendarReply(await this.queries.execute(new GetCalendar(contest, null))),
    });
  }

  @Get('schedule/groups/:code')
  @ApiOperation({ summary: 'List the groups of a round with their competitors and duties' })
  @PublicRead({
    description: 'By planned start; empty when the schedule has none',
    type: GroupDto,
    isArray: true,
  })
  @contestParam
  @ApiParam({ name: 'code', example: '333-r1', description: 'Of a round, an attempt or another activity' })
  groups(
    @Contest() contest: ContestRef,
    @Param() { code }: { readonly code: string },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.personal(contest, reply, {
      key: `groups ${code} of ${tags.schedule(contest)}`,
      make: async () => {
        const groups = await this.queries.execute(new GetGroups(contest, code));
        // Also those who are in no group: a merge may bring them the places of a person who is not on the list.
        const { competitors } = await this.queries.execute(new GetCompetitorList(contest));
        return { ready: jsonReply(groups), personIds: competitors.map(({ person }) => person.id) };
      },
    });
  }

  @Get('competitors/:number/schedule')
  @ApiOperation({ summary: 'Get the groups and duties of one competitor' })
  @PublicRead({ description: 'The appointments by expected start', type: CompetitorScheduleDto })
  @contestParam
  @numberParam
  competitor(
    @Contest() contest: ContestRef,
    @Param() { number }: OfCompetitor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.personal(contest, reply, {
      key: `schedule of ${number} in ${tags.schedule(contest)}`,
      make: async () => {
        const own = await this.queries.execute(
          new GetCompetitorSchedule(contest, competitorNumberOf(number)),
        );
        return { ready: jsonReply(own), personIds: [own.person.id] };
      },
    });
  }

  @Get('competitors/:number/schedule.ics')
  @ApiOperation({ summary: 'Get the groups and duties of one competitor as iCalendar' })
  @calendarDoc('RFC 5545, with expected times in UTC')
  @contestParam
  @numberParam
  competitorCalendar(
    @Contest() contest: ContestRef,
    @Param() { number }: OfCompetitor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.personal(contest, reply, {
      key: `calendar of ${number} in ${tags.schedule(contest)}`,
      make: async () => {
        const own = await this.queries.execute(
          new GetCompetitorSchedule(contest, competitorNumberOf(number)),
        );
        const text = await this.queries.execute(new GetCalendar(contest, own.number));
        return { ready: calendarReply(text), personIds: [own.person.id] };
      },
    });
  }

  /** The first reading tells whose tags the reply carries. Only the second one is cached, as they are watched then. */
  private personal(
    contest: ContestRef,
    reply: FastifyReply,
    read: {
      readonly key: string;
      readonly make: () => Promise<{ readonly ready: ReadyReply; readonly personIds: readonly number[] }>;
    },
  ): Promise<void> {
    const { key } = read;
    const make = async (): Promise<ReadyReply> => {
      const { personIds } = await read.make();
      const watched = [
        tags.schedule(contest),
        tags.assignments(contest),
        tags.competitors(contest),
        ...personIds.map(tags.person),
      ];
      return this.cache.getOrMake(key, watched, async () => (await read.make()).ready);
    };
    return this.ready.answer(reply.request, reply, {
      key,
      make: async () => this.cache.get(key) ?? make(),
    });
  }
}

const jsonReply = (json: unknown): ReadyReply => new ReadyReply(Buffer.from(JSON.stringify(json)));

const calendarReply = (text: string): ReadyReply =>
  new ReadyReply(Buffer.from(text), [], `${CALENDAR}; charset=utf-8`);
