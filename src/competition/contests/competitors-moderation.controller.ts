/** The competitors of a contest and their numbers over HTTP, for the moderators of the contest. */

import { Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { readBody } from '../../http/body/body.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { AtContest, ContestAccess, type ContestExchange, type MakeCommand } from '../contest-access.js';
import { contestParam } from '../contest-paths.js';
import { CompetitorDto, NumberCompetitorsBody } from './competitor.dto.js';
import { NumberCompetitors } from './contest.commands.js';
import { type CompetitorView, ListCompetitors } from './contest.queries.js';
import { ReadsContest } from './contest-moderation.js';

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
}
