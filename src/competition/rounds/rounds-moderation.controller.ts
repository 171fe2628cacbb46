/** The moderation of rounds over HTTP: planning one round or all rounds of an event, opening and closing. */
import { applyDecorators, Delete, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiParam } from '@nestjs/swagger';
import type { RoundRef } from '../../domain/attempts.js';
import { isRoundNumber, MAX_ROUND_NUMBER } from '../../domain/ids.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { Moderation } from '../../http/reads/moderation.js';
import type { OwnRoundCommand } from '../aggregates/round/round.decider.js';
import { AtContest, type ContestExchange } from '../contest-access.js';
import { eventParam, type OfRound } from '../contest-paths.js';
import { PlanEvent, PlanRound, RemoveRound } from '../contests/contest.commands.js';
import { ChangesContest, ContestModeration } from '../contests/contest-moderation.js';
import { EventRoundsBody, RoundRulesBody } from '../contests/moderation.dto.js';
import type { ModeratedContestView } from '../contests/moderation.queries.js';
import { readEventRules, readRoundRules } from '../contests/rules-body.js';
import { ChangeRound, OpenRound } from './round.commands.js';

const ROUND = 'rounds/:eventId/:roundNumber';

const ChangesRound = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiParam({
      name: 'roundNumber',
      schema: { type: 'integer', minimum: 1, maximum: MAX_ROUND_NUMBER },
      example: 1,
    }),
    eventParam,
    ChangesContest(summary),
  );

@Moderation('contests/:competitionId')
export class RoundsModerationController {
  constructor(private readonly moderation: ContestModeration) {}

  @Put('events/:eventId')
  @ApiBody({ type: EventRoundsBody })
  @ChangesContest(
    'Plan all rounds of an event at once',
    'Rounds are numbered in their order. Those that are planned beyond them are removed, which is refused for what was opened.',
  )
  @eventParam
  planEvent(
    @AtContest() at: ContestExchange,
    @Param() { eventId }: Pick<OfRound, 'eventId'>,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => {
      const rounds = readEventRules(at.request.body);
      return new PlanEvent(contest, eventId, rounds, context);
    });
  }

  @Put(ROUND)
  @ApiBody({ type: RoundRulesBody })
  @ChangesRound('Add a round, or change its rules')
  plan(@AtContest() at: ContestExchange, @Param() params: OfRound): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => {
      const round = { ...roundIn(params), rules: readRoundRules(at.request.body) };
      return new PlanRound(contest, round, context);
    });
  }

  @Delete(ROUND)
  @ChangesRound('Take a round that was never opened out of the plan')
  remove(@AtContest() at: ContestExchange, @Param() params: OfRound): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => {
      const { eventId, roundNumber } = roundIn(params);
      return new RemoveRound(contest, eventId, roundNumber, context);
    });
  }

  @Post(`${ROUND}/open`)
  @ChangesRound('Open a round, also one that was closed; the first makes the contest ongoing')
  open(@AtContest() at: ContestExchange, @Param() params: OfRound): Promise<ModeratedContestView> {
    return this.moderation.change(
      at,
      (contest, context) => new OpenRound({ ...contest, ...roundIn(params) }, context),
    );
  }

  @Post(`${ROUND}/close`)
  @ChangesRound('Close a round: entry into it is refused from here on')
  close(@AtContest() at: ContestExchange, @Param() params: OfRound): Promise<ModeratedContestView> {
    return this.change(at, params, { type: 'CloseRound' });
  }

  private change(
    at: ContestExchange,
    params: OfRound,
    command: OwnRoundCommand,
  ): Promise<ModeratedContestView> {
    return this.moderation.change(
      at,
      (contest, context) => new ChangeRound({ ...contest, ...roundIn(params) }, command, context),
    );
  }
}

/** Throws RejectedError `invalid-request`, not `round-not-found`: the number comes from a form field. */
const roundIn = ({ eventId, roundNumber }: OfRound): RoundRef => {
  const number = /^\d{1,3}$/.test(roundNumber) ? Number(roundNumber) : 0;
  if (isRoundNumber(number)) return { eventId, roundNumber: number };
  const message = `roundNumber must be an integer from 1 to ${MAX_ROUND_NUMBER}`;
  throw invalidRequest([{ field: 'roundNumber', rule: 'integer', message }]);
};
