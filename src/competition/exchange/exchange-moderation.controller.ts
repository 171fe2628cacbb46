/** Imports and exports over HTTP: the preview of a file, its import, and the export of a contest. */
import { Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiOperation, ApiProduces, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { today } from '../../foundation/basics/today.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { SpaceId } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { Moderation } from '../../http/reads/moderation.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import { AtContest, ContestAccess, type ContestExchange } from '../contest-access.js';
import { Contest, contestParam } from '../contest-paths.js';
import { ScheduleDto } from '../schedule/schedule.dto.js';
import { GetSchedule, type ScheduleView } from '../schedule/schedule.queries.js';
import { exportCsv, exportWcifText } from './contest-export.js';
import { type ImportChoice, ImportContests, ImportSchedule } from './exchange.commands.js';
import { ImportPreviewDto, ImportReportDto } from './exchange.dto.js';
import { FaultError } from './formats/contest-file.js';
import { WCIF_VERSIONS, type WcifVersion } from './formats/wcif.js';
import { choiceQuery, fileBody, previewQuery } from './import-docs.js';
import { type ImportPreview, PreviewImport } from './importing/import.queries.js';
import { ImportGate, MAX_IMPORT_BYTES } from './importing/import-gate.js';
import { inFile } from './importing/import-preview.js';

const EXPORTS = ['wcif', 'csv'] as const;

const replaceQuery = choiceQuery(
  'replace',
  'Replaces results that differ from the file, in open rounds of an ongoing contest; results that are not in the file stay',
);
const openQuery = choiceQuery(
  'open',
  'Leaves the contests ongoing with their rounds open; not together with finish',
);
const finishQuery = choiceQuery(
  'finish',
  'Finishes the contests that have results in the file, and ends their API keys for good. Without open and finish a stored contest stays in its state: results for a draft or announced one are refused. A new contest with results is finished when it ended before today (UTC), and ongoing when it goes on today',
);
const overwriteQuery = choiceQuery(
  'overwriteList',
  'Brings the competitor list up to date also where moderators changed it since the last import; otherwise their changes stay',
);
const contestsFile = fileBody('A WCIF (application/json) or a results CSV (text/csv)');

@Moderation()
export class ExchangeModerationController {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly gate: ImportGate,
    private readonly access: ContestAccess,
  ) {}

  @Post('imports/preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Preview an import: what it would change (admins)' })
  @openQuery
  @finishQuery
  @replaceQuery
  @overwriteQuery
  @contestsFile
  @ApiResponse({
    status: 200,
    type: ImportPreviewDto,
    description: 'The changes; for a file with faults each fault with its line and column',
  })
  @Problems(400, 401, 403, 404, 413, 415, 503)
  preview(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Req() request: FastifyRequest,
  ): Promise<ImportPreview> {
    const { preview: _, ...choices } = readImport(query);
    const options = { spaceId, ...choices, today: today() };
    return this.queries.execute(new PreviewImport(this.gate.readingsOf(request), options));
  }

  @Post('imports')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Import contests (admins)',
    description:
      'A contest with a fault is left out whole; the others are imported. Importing the same file again changes nothing. A result that changed since its preview is not replaced, and neither are the others of its round.',
  })
  @openQuery
  @finishQuery
  @replaceQuery
  @overwriteQuery
  @previewQuery
  @contestsFile
  @ApiResponse({ status: 200, type: ImportReportDto, description: 'What was done with each contest' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 503)
  async import(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Http() { request, reply }: HttpExchange,
  ): Promise<ImportReportDto> {
    const account = await this.signedIn.admin(request, spaceId);
    const { preview, ...choices } = readImport(query);
    if (choices.replace && preview === null) throw invalidRequest([REPLACED_UNSEEN]);
    const options = { spaceId, ...choices, today: today(), ...(preview === null ? {} : { preview }) };
    const importing = new ImportContests(this.gate.readingsOf(request), options, contextOf(account, request));
    const { contests } = await this.commands.execute(importing, reply);
    return {
      contests: contests.map(
        ({ competitionId, outcome, results, persons, list, endedKeys, faults, notes }) => ({
          competitionId,
          outcome,
          results,
          list,
          registered: persons.filter(({ by }) => by === 'new').length,
          endedKeys: [...endedKeys],
          faults: faults.map(inFile),
          notes: notes.map(inFile),
        }),
      ),
    };
  }

  @Post('contests/:competitionId/schedule/import')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Replace the schedule of a contest by that of a WCIF file',
    description:
      'Reads nothing else of the file. Persons are those on the competitor list with the same association id, else with the same number; the assignments of others are left out.',
  })
  @contestParam
  @ApiConsumes('application/json')
  @ApiBody({ description: `A WCIF of at most ${MAX_IMPORT_BYTES} bytes`, schema: { type: 'string' } })
  @ApiResponse({ status: 200, type: ScheduleDto, description: 'The schedule as it is now' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  importSchedule(@AtContest() at: ContestExchange): Promise<ScheduleView> {
    return this.access.answer(
      at,
      (contest, context) => new ImportSchedule(contest, this.gate.readingsOf(at.request), context),
      (contest) => new GetSchedule(contest, true),
    );
  }

  @Get('contests/:competitionId/export')
  @ApiOperation({ summary: 'Export a contest, drafts too, as WCIF or as a CSV of its results' })
  @contestParam
  @ApiQuery({ name: 'format', required: false, enum: EXPORTS, schema: { default: 'wcif' } })
  @ApiQuery({
    name: 'wcifVersion',
    required: false,
    enum: WCIF_VERSIONS,
    schema: { default: '1' },
    description: 'Version 2 is refused (422) for an advancement without a next round',
  })
  @ApiProduces('application/json', 'text/csv')
  @ApiResponse({
    status: 200,
    description: 'The contest as a file, which can be imported again',
    content: {
      'application/json': { schema: { type: 'object', description: 'WCIF 1.1 or 2.0' } },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  @Problems(400, 401, 403, 404, 422, 503)
  async export(
    @Contest() contest: ContestRef,
    @Query() query: Fields,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.signedIn.moderatorOf(request, contest);
    const fields = new FieldReader(query);
    const format = fields.oneOf('format', EXPORTS, 'wcif');
    const version = fields.oneOf('wcifVersion', WCIF_VERSIONS, '1');
    fields.check();
    const [file, type, text] =
      format === 'wcif'
        ? (['json', 'application/json', await this.wcif(contest, version)] as const)
        : (['csv', 'text/csv', await exportCsv(this.queries, [contest])] as const);
    reply
      .header('Content-Type', `${type}; charset=utf-8`)
      .header('Content-Disposition', `attachment; filename="${contest.competitionId}.${file}"`)
      .send(text);
  }

  private async wcif(contest: ContestRef, version: WcifVersion): Promise<string> {
    try {
      return await exportWcifText(this.queries, contest, version);
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      const detail = `${error.fault.reason}; a CSV holds it (format=csv)`;
      throw new RejectedError({ code: 'beyond-format', detail });
    }
  }
}

const REPLACED_UNSEEN = {
  field: 'preview',
  rule: 'required',
  message: 'preview is needed to replace results: the fingerprint of a preview with replace=true',
};

const BOTH_CHOSEN = {
  field: 'finish',
  rule: 'one-choice',
  message: 'finish does not go together with open: choose one of them',
};

interface ImportQuery {
  readonly choice: ImportChoice | null;
  readonly replace: boolean;
  readonly overwriteList: boolean;
  readonly preview: string | null;
}

const readImport = (query: Fields): ImportQuery => {
  const fields = new FieldReader(query);
  const open = fields.flag('open');
  const finish = fields.flag('finish');
  const replace = fields.flag('replace');
  const overwriteList = fields.flag('overwriteList');
  const preview = fields.text('preview', 'the fingerprint of a preview');
  fields.check();
  if (open && finish) throw invalidRequest([BOTH_CHOSEN]);
  return { choice: open ? 'open' : finish ? 'finish' : null, replace, overwriteList, preview };
};
