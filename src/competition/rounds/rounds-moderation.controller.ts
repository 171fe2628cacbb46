/** The moderation of rounds over HTTP: their plan, one by one or all of an event, and their opening and closing. */
import { applyDecorators, Body, Delete, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { RoundRef } from '../../domain/attempts.js';
import { isRoundNumber, MAX_ROUND_NUMBER } from '../../domain/ids.js';
import type { ContestRef } from '../../domain/references.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { invalidRequest } from '../../http/problems/problems.js';
import { Moderation } from '../../http/reads/moderation.js';
import { CloseRound, OpenRound } from '../aggregates/round/round.commands.js';
import { Contest, eventParam, type OfRound } from '../contest-paths.js';
import { PlanEvent, PlanRound, RemoveRound } from '../contests/contest.commands.js';
import { ChangesContest, ContestModeration } from '../contests/contest-moderation.js';
import { EventRoundsBody, RoundRulesBody } from '../contests/moderation.dto.js';
import type { ModeratedContestView } from '../contests/moderation.queries.js';
import { readEventRules, readRoundRules } from '../contests/rules-body.js';

const ROUND = 'rounds/:eventId/:roundNumber';

const ChangesRound = (): MethodDecorator =>
  applyDecorators(
    ApiParam({
      name: 'roundNumber',
      schema: { type: 'integer', minimum: 1, maximum: MAX_ROUND_NUMBER },
      example: 1,
    }),
    eventParam,
    ChangesContest(),
  );

@Moderation('contests/:competitionId')
export class RoundsModerationController {
  constructor(private readonly moderation: ContestModeration) {}

  @Put('events/:eventId')
  @ApiOperation({
    summary: 'Plan all rounds of an event at once',
    description:
      'Rounds are numbered in their order. Those that are planned beyond them are removed, which is refused for what was opened.',
  })
  @ApiBody({ type: EventRoundsBody })
  @ChangesContest()
  @eventParam
  planEvent(
    @Contest() contest: ContestRef,
    @Param() { eventId }: Pick<OfRound, 'eventId'>,
    @Body() body: unknown,
    @Http() http: HttpExchange,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(
      contest,
      http,
      (context) => new PlanEvent(contest, eventId, readEventRules(body), context),
    );
  }

  @Put(ROUND)
  @ApiOperation({ summary: 'Add a round, or change its rules' })
  @ApiBody({ type: RoundRulesBody })
  @ChangesRound()
  plan(
    @Contest() contest: ContestRef,
    @Param() params: OfRound,
    @Body() body: unknown,
    @Http() http: HttpExchange,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(contest, http, (context) => {
      const round = { ...roundIn(params), rules: readRoundRules(body) };
      return new PlanRound(contest, round, context);
    });
  }

  @Delete(ROUND)
  @ApiOperation({ summary: 'Take a round that was never opened out of the plan' })
  @ChangesRound()
  remove(
    @Contest() contest: ContestRef,
    @Param() params: OfRound,
    @Http() http: HttpExchange,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(contest, http, (context) => {
      const { eventId, roundNumber } = roundIn(params);
      return new RemoveRound(contest, eventId, roundNumber, context);
    });
  }

  @Post(`${ROUND}/open`)
  @ApiOperation({ summary: 'Open a round, also one that was closed; the first makes the contest ongoing' })
  @ChangesRound()
  open(
    @Contest() contest: ContestRef,
    @Param() params: OfRound,
    @Http() http: HttpExchange,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(
      contest,
      http,
      (context) => new OpenRound({ ...contest, ...roundIn(params) }, context),
    );
  }

  @Post(`${ROUND}/close`)
  @ApiOperation({ summary: 'Close a round: entry into it is refused from here on' })
  @ChangesRound()
  close(
    @Contest() contest: ContestRef,
    @Param() params: OfRound,
    @Http() http: HttpExchange,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(
      contest,
      http,
      (context) => new CloseRound({ ...contest, ...roundIn(params) }, context),
    );
  }
}

/** Throws RejectedError `invalid-request`: here the number is a field of a form. */
const roundIn = ({ eventId, roundNumber }: OfRound): RoundRef => {
  const number = /^\d{1,3}$/.test(roundNumber) ? Number(roundNumber) : 0;
  if (isRoundNumber(number)) return { eventId, roundNumber: number };
  const message = `roundNumber must be an integer from 1 to ${MAX_ROUND_NUMBER}`;
  throw invalidRequest([{ field: 'roundNumber', rule: 'integer', message }]);
};
