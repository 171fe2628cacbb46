/** The moderation of rounds over HTTP: their plan, one by one or all of an event, and their opening and closing. */
import { Body, Delete, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRoundNumber, MAX_ROUND_NUMBER } from '../../domain/ids.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { invalidRequest } from '../../http/problems/problems.js';
import { Moderation } from '../../http/reads/moderation.js';
import { CloseRound, OpenRound } from '../aggregates/round/round.commands.js';
import { PlanEvent, PlanRound, RemoveRound } from '../contests/contest.commands.js';
import {
  ContestModeration,
  changedContest,
  contestOf,
  contestParam,
  type OfContest,
} from '../contests/contest-moderation.js';
import { EventRoundsBody, RoundRulesBody } from '../contests/moderation.dto.js';
import type { ModeratedContestView } from '../contests/moderation.queries.js';
import { readEventRules, readRoundRules } from '../contests/rules-body.js';

interface OfEvent extends OfContest {
  readonly eventId: string;
}

interface OfRound extends OfEvent {
  readonly roundNumber: string;
}

const eventParam = ApiParam({ name: 'eventId', example: '333' });
const roundParam = ApiParam({
  name: 'roundNumber',
  schema: { type: 'integer', minimum: 1, maximum: MAX_ROUND_NUMBER },
  example: 1,
});

/** Throws RejectedError `invalid-request`. */
const numberOf = ({ roundNumber }: OfRound): number => {
  const number = /^\d{1,3}$/.test(roundNumber) ? Number(roundNumber) : 0;
  if (isRoundNumber(number)) return number;
  const message = `roundNumber must be an integer from 1 to ${MAX_ROUND_NUMBER}`;
  throw invalidRequest([{ field: 'roundNumber', rule: 'integer', message }]);
};

const ROUND = 'rounds/:eventId/:roundNumber';

@Moderation('contests/:competitionId')
export class RoundsModerationController {
  constructor(private readonly moderation: ContestModeration) {}

  @Put('events/:eventId')
  @ApiOperation({
    summary: 'Plan all rounds of an event at once',
    description:
      'Rounds are numbered in their order. Those that are planned beyond them are removed, which is refused for what was opened.',
  })
  @contestParam
  @eventParam
  @ApiBody({ type: EventRoundsBody })
  @ApiResponse({ ...changedContest, status: 200 })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  planEvent(
    @Param() params: OfEvent,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(
      { contest: contestOf(params), request, reply },
      (contest, context) => new PlanEvent(contest, params.eventId, readEventRules(body), context),
    );
  }

  @Put(ROUND)
  @ApiOperation({ summary: 'Add a round, or change its rules' })
  @contestParam
  @eventParam
  @roundParam
  @ApiBody({ type: RoundRulesBody })
  @ApiResponse({ ...changedContest, status: 200 })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  plan(
    @Param() params: OfRound,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ModeratedContestView> {
    return this.moderation.change({ contest: contestOf(params), request, reply }, (contest, context) => {
      const round = { eventId: params.eventId, roundNumber: numberOf(params), rules: readRoundRules(body) };
      return new PlanRound(contest, round, context);
    });
  }

  @Delete(ROUND)
  @ApiOperation({ summary: 'Take a round that was never opened out of the plan' })
  @contestParam
  @eventParam
  @roundParam
  @ApiResponse({ ...changedContest, status: 200 })
  @Problems(400, 401, 403, 404, 422, 503)
  remove(
    @Param() params: OfRound,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(
      { contest: contestOf(params), request, reply },
      (contest, context) => new RemoveRound(contest, params.eventId, numberOf(params), context),
    );
  }

  @Post(`${ROUND}/open`)
  @HttpCode(200)
  @ApiOperation({ summary: 'Open a round, also one that was closed; the first makes the contest ongoing' })
  @contestParam
  @eventParam
  @roundParam
  @ApiResponse({ ...changedContest, status: 200 })
  @Problems(400, 401, 403, 404, 422, 503)
  open(
    @Param() params: OfRound,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ModeratedContestView> {
    return this.moderation.change({ contest: contestOf(params), request, reply }, (contest, context) => {
      const { eventId } = params;
      return new OpenRound({ ...contest, eventId, roundNumber: numberOf(params) }, context);
    });
  }

  @Post(`${ROUND}/close`)
  @HttpCode(200)
  @ApiOperation({ summary: 'Close a round: entry into it is refused from here on' })
  @contestParam
  @eventParam
  @roundParam
  @ApiResponse({ ...changedContest, status: 200 })
  @Problems(400, 401, 403, 404, 422, 503)
  close(
    @Param() params: OfRound,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ModeratedContestView> {
    return this.moderation.change({ contest: contestOf(params), request, reply }, (contest, context) => {
      const { eventId } = params;
      return new CloseRound({ ...contest, eventId, roundNumber: numberOf(params) }, context);
    });
  }
}
