/** The competitors of a contest over HTTP, for its moderators: numbers, and single registrations. */

import { applyDecorators, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { RejectedError } from '../../domain/rejections.js';
import { readBody } from '../../http/body/body.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { AtContest, ContestAccess, type ContestExchange, type MakeCommand } from '../contest-access.js';
import { contestParam } from '../contest-paths.js';
import { CompetitorDto, NumberCompetitorsBody } from './competitor.dto.js';
import {
  GetCompetitorList,
  type ListedCompetitorView,
  MarkCompetitor,
  RegisterCompetitors,
} from './competitor-list.commands.js';
import { ListedCompetitorDto, RegisterCompetitorBody, readRegistrationOf } from './competitor-list.dto.js';
import { NumberCompetitors } from './contest.commands.js';
import { type CompetitorView, ListCompetitors } from './contest.queries.js';
import { ReadsContest } from './contest-moderation.js';

interface OfPerson {
  readonly personId: string;
}

const ChangesList = (summary: string, description?: string): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    contestParam,
    ApiParam({ name: 'personId', schema: { type: 'integer', minimum: 1 }, example: 7 }),
    ApiResponse({ status: 200, type: ListedCompetitorDto, isArray: true, description: 'The whole list' }),
    Problems(400, 401, 403, 404, 413, 415, 422, 503),
  );

@Moderation('contests/:competitionId/competitors')
export class CompetitorsModerationController {
  constructor(private readonly access: ContestAccess) {}

  @Get()
  @ReadsContest('List the competitors of a contest: persons with a number or a result there', {
    type: [CompetitorDto],
    description: 'The competitors by number, then by name',
  })
  list(@AtContest() at: ContestExchange): Promise<readonly CompetitorView[]> {
    return this.access.query(at, (contest) => new ListCompetitors(contest));
  }

  @Get('list')
  @ReadsContest('List the competitors who are registered for a contest, a draft too', {
    type: [ListedCompetitorDto],
    description: 'By number; empty for a contest without a list',
  })
  async registered(@AtContest() at: ContestExchange): Promise<readonly ListedCompetitorView[]> {
    return (await this.access.query(at, (contest) => new GetCompetitorList(contest, true))).competitors;
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Give competitors their numbers; a competitor with a number keeps it' })
  @contestParam
  @ApiBody({ type: NumberCompetitorsBody })
  @ApiResponse({ status: 200, type: CompetitorDto, isArray: true, description: 'All of the contest' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  number(@AtContest() at: ContestExchange): Promise<readonly CompetitorView[]> {
    const command: MakeCommand = (contest, context) => {
      const { personIds } = readBody(at.request.body, NumberCompetitorsBody);
      return new NumberCompetitors(contest, personIds, context);
    };
    return this.access.answer(at, command, (contest) => new ListCompetitors(contest));
  }

  @Put(':personId')
  @ApiBody({ type: RegisterCompetitorBody })
  @ChangesList(
    'Put a person on the competitor list, or change the events',
    'Who has withdrawn is registered again. A contest has a list from its first registration on.',
  )
  register(
    @AtContest() at: ContestExchange,
    @Param() params: OfPerson,
  ): Promise<readonly ListedCompetitorView[]> {
    return this.change(at, (contest, context) => {
      const row = readRegistrationOf(personIdOf(params), at.request.body);
      return new RegisterCompetitors(contest, [row], context);
    });
  }

  @Post(':personId/check-in')
  @ChangesList('Check a competitor of the list in')
  checkIn(
    @AtContest() at: ContestExchange,
    @Param() params: OfPerson,
  ): Promise<readonly ListedCompetitorView[]> {
    return this.mark(at, params, 'CheckInCompetitor');
  }

  @Post(':personId/withdraw')
  @ChangesList('Withdraw a competitor of the list, who then has no further results')
  withdraw(
    @AtContest() at: ContestExchange,
    @Param() params: OfPerson,
  ): Promise<readonly ListedCompetitorView[]> {
    return this.mark(at, params, 'WithdrawCompetitor');
  }

  private mark(
    at: ContestExchange,
    params: OfPerson,
    mark: MarkCompetitor['mark'],
  ): Promise<readonly ListedCompetitorView[]> {
    return this.change(
      at,
      (contest, context) => new MarkCompetitor(contest, personIdOf(params), mark, context),
    );
  }

  private async change(at: ContestExchange, make: MakeCommand): Promise<readonly ListedCompetitorView[]> {
    const list = await this.access.answer(at, make, (contest) => new GetCompetitorList(contest, true));
    return list.competitors;
  }
}

/** Throws RejectedError `person-not-found`. */
const personIdOf = ({ personId }: OfPerson): number => {
  if (/^[1-9]\d{0,14}$/.test(personId)) return Number(personId);
  const detail = `there is no person ${personId.slice(0, 20)}`;
  throw new RejectedError({ code: 'person-not-found', detail });
};
