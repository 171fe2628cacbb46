/** The competitors of a contest as a file, for its moderators: the preview of an import, the import, and the export. */
import { Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl } from '../../accounts/access-control.js';
import type { ContestRef } from '../../domain/references.js';
import { today } from '../../foundation/basics/today.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { AtContest, ContestAccess, type ContestExchange } from '../contest-access.js';
import { Contest, contestParam } from '../contest-paths.js';
import { exportCompetitorsCsv } from './contest-export.js';
import { CompetitorsPreviewDto, CompetitorsReportDto } from './exchange.dto.js';
import { COMPETITOR_COLUMNS } from './formats/competitors-csv.js';
import { choiceQuery, fileBody, previewQuery } from './import-docs.js';
import {
  type CompetitorsPreview,
  type CompetitorsReport,
  ImportCompetitors,
  PreviewCompetitors,
} from './importing/competitor-import.js';
import { ImportGate } from './importing/import-gate.js';

const overwriteQuery = choiceQuery(
  'overwrite',
  'Also where the list was changed by hand since the last import; otherwise those changes stay',
);
const competitorsFile = fileBody(
  `A CSV (text/csv) with the columns ${COMPETITOR_COLUMNS.join(', ')}, of which name and events are needed, or a WCIF of the contest (application/json)`,
);

@Moderation('contests/:competitionId/competitors')
export class CompetitorImportController {
  constructor(
    private readonly queries: QueryBus,
    private readonly access: ContestAccess,
    private readonly signedIn: AccessControl,
    private readonly gate: ImportGate,
  ) {}

  @Post('import/preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Preview an import into the competitor list: what it would change' })
  @contestParam
  @overwriteQuery
  @competitorsFile
  @ApiResponse({
    status: 200,
    type: CompetitorsPreviewDto,
    description: 'The changes; for a file with faults each fault with its line and column',
  })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  preview(@AtContest() at: ContestExchange, @Query() query: Fields): Promise<CompetitorsPreview> {
    const options = readOptions(query);
    return this.access.query(
      at,
      (contest) => new PreviewCompetitors(contest, this.gate.fileOf(at.request), options),
    );
  }

  @Post('import')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Bring the competitor list up to date with a file',
    description:
      'Who is missing in the file is dropped; with results in the contest they stay on the list, marked as dropped. Persons who are not found become new ones. The personal bests of a WCIF are learned while the contest is not over. All or nothing: a file with faults is refused. The same file again changes nothing.',
  })
  @contestParam
  @overwriteQuery
  @previewQuery
  @competitorsFile
  @ApiResponse({ status: 200, type: CompetitorsReportDto, description: 'How many competitors were changed' })
  @Problems(400, 401, 403, 404, 409, 412, 413, 415, 422, 503)
  async import(
    @AtContest() at: ContestExchange,
    @Query() query: Fields,
  ): Promise<Omit<CompetitorsReport, 'position'>> {
    const options = readOptions(query);
    const { position: _, ...report } = await this.access.execute(
      at,
      (contest, context) => new ImportCompetitors(contest, this.gate.fileOf(at.request), options, context),
    );
    return report;
  }

  @Get('export')
  @ApiOperation({ summary: 'Export the competitor list as a CSV, which can be imported again' })
  @contestParam
  @ApiProduces('text/csv')
  @ApiResponse({
    status: 200,
    description: 'By number',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  @Problems(400, 401, 403, 404, 503)
  async export(
    @Contest() contest: ContestRef,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.signedIn.moderatorOf(request, contest);
    const text = await exportCompetitorsCsv(this.queries, contest);
    reply
      .header('Content-Type', 'text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="${contest.competitionId}-competitors.csv"`)
      .send(text);
  }
}

const readOptions = (query: Fields): ImportCompetitors['options'] => {
  const fields = new FieldReader(query);
  const overwrite = fields.flag('overwrite');
  const preview = fields.text('preview', 'the fingerprint of a preview');
  fields.check();
  return { overwrite, preview, today: today() };
};
