/** The roster of a round and the way to the next one over HTTP, for the moderators of a contest. */

import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { RoundKey } from '../../domain/references.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import type { MakeCommand } from '../contest-access.js';
import { contestParam, eventParam, Round } from '../contest-paths.js';
import { ContestModeration, changedContest } from '../contests/contest-moderation.js';
import type { ModeratedContestView } from '../contests/moderation.queries.js';
import {
  AdvanceBody,
  AdvancementStateDto,
  MarkRosterBody,
  readAdvance,
  readMarks,
} from './advancement.dto.js';
import { type AdvancementView, GetAdvancement } from './advancement.queries.js';
import { AdvanceRound, MarkRoster, UndoOpening } from './round.commands.js';

const OfRound = (summary: string, description?: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    contestParam,
    eventParam,
    ApiParam({ name: 'roundNumber', schema: { type: 'integer', minimum: 1, example: 1 } }),
  );

const ChangesRound = (summary: string, description?: string): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    OfRound(summary, description),
    ApiResponse({ ...changedContest, status: 200 }),
    Problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
  );

@Moderation('contests/:competitionId/rounds/:eventId/:roundNumber')
export class AdvancementModerationController {
  constructor(private readonly moderation: ContestModeration) {}

  @Get('advancement')
  @OfRound('Get who advances from a round as its results are now, and who is missing')
  @ApiResponse({ status: 200, type: AdvancementStateDto, description: 'As it is now' })
  @Problems(400, 401, 403, 404, 422, 503)
  advancement(@Round() round: RoundKey, @Http() http: HttpExchange): Promise<AdvancementView> {
    return this.moderation.query({ contest: round, ...http }, () => new GetAdvancement(round));
  }

  @Post('advance')
  @ChangesRound(
    'Close a round and open the next one with these competitors',
    'Refused (409) with what has to be confirmed. Repeating it completes what was cut off.',
  )
  @ApiBody({ type: AdvanceBody })
  advance(@Round() round: RoundKey, @Http() http: HttpExchange): Promise<ModeratedContestView> {
    return this.#change(round, http, (_, context) => {
      const { competitors, confirmed } = readAdvance(http.request.body);
      return new AdvanceRound(round, competitors, confirmed, context);
    });
  }

  @Post('undo-opening')
  @ChangesRound(
    'Take back the opening of a round without results',
    'The round before is open again when it was closed for this one.',
  )
  undoOpening(@Round() round: RoundKey, @Http() http: HttpExchange): Promise<ModeratedContestView> {
    return this.#change(round, http, (_, context) => new UndoOpening(round, context));
  }

  @Post('roster')
  @ChangesRound('Add competitors to the roster of a round, or mark them as no-shows or as having quit')
  @ApiBody({ type: MarkRosterBody })
  mark(@Round() round: RoundKey, @Http() http: HttpExchange): Promise<ModeratedContestView> {
    return this.#change(
      round,
      http,
      (_, context) => new MarkRoster(round, readMarks(http.request.body), context),
    );
  }

  #change(round: RoundKey, http: HttpExchange, make: MakeCommand): Promise<ModeratedContestView> {
    return this.moderation.change({ contest: round, ...http }, make);
  }
}
