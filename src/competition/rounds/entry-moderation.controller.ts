/**
 * Result entry by hand, for the moderators of a contest: the round with its competitors, whole results, single
 * attempts, history and undo. It uses the commands of the devices, so the same rules apply; only the actor differs.
 */

import { applyDecorators, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { CompetitorSelector, RoundKey } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import { readBody } from '../../http/body/body.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { Moderation } from '../../http/reads/moderation.js';
import { ContestAccess } from '../contest-access.js';
import { contestParam, eventParam, Round } from '../contest-paths.js';
import { readPersonIds } from './competitor-rules.js';
import {
  CheckBody,
  EnterAttemptByHandBody,
  EnterByHandBody,
  EnteredByHandDto,
  EntrySheetDto,
  NamedChangeDto,
  NamedRoundChangeDto,
  UndoBody,
} from './entry-moderation.dto.js';
import {
  type EntrySheetView,
  GetEntrySheet,
  GetNamedHistory,
  type NamedStepView,
} from './entry-sheet.queries.js';
import {
  CheckResult,
  EnterAttempt,
  type EnteredResult,
  EnterResults,
  type EntryReceipt,
  UndoChange,
} from './round.commands.js';

interface OfResult {
  readonly personIds: string;
}

const RoundParams = (): MethodDecorator =>
  applyDecorators(
    contestParam,
    eventParam,
    ApiParam({ name: 'roundNumber', schema: { type: 'integer', minimum: 1, example: 1 } }),
  );
const personIdsParam = ApiParam({
  name: 'personIds',
  example: '7',
  description: 'Database id of the competitor, or comma-separated ids of a team in its order',
});
const entered = { status: 200, type: EnteredByHandDto, description: 'The result as it stands now' };

@Moderation('contests/:competitionId/rounds/:eventId/:roundNumber')
export class EntryModerationController {
  constructor(private readonly access: ContestAccess) {}

  @Get('entry')
  @ApiOperation({ summary: 'Get a round with its results and all competitors who may be entered' })
  @RoundParams()
  @ApiResponse({ status: 200, type: EntrySheetDto, description: 'As it is now' })
  @Problems(400, 401, 403, 404, 503)
  sheet(@Round() round: RoundKey, @Http() http: HttpExchange): Promise<EntrySheetView> {
    return this.access.query({ contest: round, ...http }, () => new GetEntrySheet(round));
  }

  @Put('results/:personIds')
  @ApiOperation({ summary: 'Enter or correct all attempts of a competitor' })
  @RoundParams()
  @personIdsParam
  @ApiBody({ type: EnterByHandBody })
  @ApiResponse(entered)
  @Problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
  enter(
    @Round() round: RoundKey,
    @Param() params: OfResult,
    @Http() http: HttpExchange,
  ): Promise<EnteredResult> {
    return this.changed(round, http, (context) => {
      const { attempts, seen } = readBody(http.request.body, EnterByHandBody);
      const row = { competitor: competitorOf(params), attempts, seen: seen ?? undefined };
      return new EnterResults(round, [row], context);
    });
  }

  @Put('results/:personIds/attempts/:attemptNumber')
  @ApiOperation({ summary: 'Enter, correct or clear one attempt of a competitor' })
  @RoundParams()
  @personIdsParam
  @ApiParam({ name: 'attemptNumber', schema: { type: 'integer', minimum: 1, example: 2 } })
  @ApiBody({ type: EnterAttemptByHandBody })
  @ApiResponse(entered)
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  enterAttempt(
    @Round() round: RoundKey,
    @Param() params: OfResult & { readonly attemptNumber: string },
    @Http() http: HttpExchange,
  ): Promise<EnteredResult> {
    return this.changed(round, http, (context) => {
      const { value } = readBody(http.request.body, EnterAttemptByHandBody);
      const competitor = competitorOf(params);
      return new EnterAttempt(round, competitor, attemptNumberOf(params.attemptNumber), value, context);
    });
  }

  @Delete('results/:personIds')
  @ApiOperation({ summary: 'Remove the result of a competitor' })
  @RoundParams()
  @personIdsParam
  @ApiResponse({ ...entered, description: 'The result that went: it has no attempts any more' })
  @Problems(400, 401, 403, 404, 422, 503)
  remove(
    @Round() round: RoundKey,
    @Param() params: OfResult,
    @Http() http: HttpExchange,
  ): Promise<EnteredResult> {
    return this.changed(round, http, (context) => {
      const row = { competitor: competitorOf(params), attempts: [] };
      return new EnterResults(round, [row], context);
    });
  }

  @Post('results/:personIds/check')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Mark the result of a competitor as checked: typed twice the same, or confirmed',
    description: 'The mark lasts until the result changes. Refused (409) when its attempts are others.',
  })
  @RoundParams()
  @personIdsParam
  @ApiBody({ type: CheckBody })
  @ApiResponse({ status: 204, description: 'The attempts are those of the result' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
  async check(
    @Round() round: RoundKey,
    @Param() params: OfResult,
    @Http() http: HttpExchange,
  ): Promise<void> {
    await this.access.execute({ contest: round, ...http }, (_, context) => {
      const { attempts } = readBody(http.request.body, CheckBody);
      return new CheckResult(round, personIdsOf(params), attempts, context);
    });
  }

  @Get('history')
  @ApiOperation({
    summary: 'Get every change of a round, its roster and its results: who, when, with which device',
  })
  @RoundParams()
  @ApiQuery({ name: 'resultId', required: false, description: 'Only of this result' })
  @ApiExtraModels(NamedChangeDto, NamedRoundChangeDto)
  @ApiResponse({
    status: 200,
    description: 'Newest first',
    schema: {
      type: 'array',
      items: {
        oneOf: [NamedChangeDto, NamedRoundChangeDto].map((step) => ({ $ref: getSchemaPath(step) })),
      },
    },
  })
  @Problems(400, 401, 403, 404, 503)
  history(
    @Round() round: RoundKey,
    @Query() query: Fields,
    @Http() http: HttpExchange,
  ): Promise<readonly NamedStepView[]> {
    return this.access.query({ contest: round, ...http }, () => {
      const fields = new FieldReader(query);
      const resultId = fields.text('resultId', 'the id of a result');
      fields.check();
      return new GetNamedHistory(round, resultId);
    });
  }

  @Post('undo')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Put a result back to what it was before its last change',
    description:
      'A change of its own, which can be undone in turn. Refused (409) when something changed it since.',
  })
  @RoundParams()
  @ApiBody({ type: UndoBody })
  @ApiResponse(entered)
  @Problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
  undo(@Round() round: RoundKey, @Http() http: HttpExchange): Promise<EnteredResult> {
    return this.changed(round, http, (context) => {
      const { resultId, change } = readBody(http.request.body, UndoBody);
      return new UndoChange(round, resultId, change, context);
    });
  }

  private async changed(
    round: RoundKey,
    http: HttpExchange,
    make: (context: CommandContext) => Command<EntryReceipt>,
  ): Promise<EnteredResult> {
    const at = { contest: round, ...http };
    const { results } = await this.access.execute(at, (_, context) => make(context)).catch(withDeskFields);
    const [result] = results;
    if (result === undefined) throw new Error('an entry of one result was answered with none');
    return result;
  }
}

/** Renames the fields in errors: commands name the fields of the devices' bodies. */
const withDeskFields = (error: unknown): never => {
  if (!(error instanceof RejectedError)) throw error;
  const { code, detail, errors } = error.rejection;
  const named = (text: string): string =>
    text
      .replaceAll(/results\[0\]\.attempts\[(\d+)\]\.result/g, 'attempts[$1]')
      .replaceAll('results[0].personId', 'personIds')
      .replaceAll('attemptResult', 'value')
      .replaceAll(/\bpersonId\b/g, 'personIds');
  throw new RejectedError({
    code,
    detail: named(detail),
    ...(errors && { errors: errors.map((each) => ({ ...each, field: named(each.field) })) }),
  });
};

const competitorOf = (params: OfResult): CompetitorSelector => ({
  by: 'personId',
  personIds: personIdsOf(params),
});

const personIdsOf = ({ personIds: given }: OfResult): readonly number[] => {
  const personIds = readPersonIds(given);
  if (personIds !== null) return personIds;
  const message = 'personIds must be an integer above 0, or for a team such integers with commas';
  throw invalidRequest([{ field: 'personIds', rule: 'personIds', message }]);
};

const attemptNumberOf = (given: string): number => {
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given);
  const message = 'attemptNumber must be an integer above 0';
  throw invalidRequest([{ field: 'attemptNumber', rule: 'count', message }]);
};
