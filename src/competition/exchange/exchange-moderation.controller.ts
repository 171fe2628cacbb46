/** Imports and exports over HTTP: the preview of a file, its import, and the export of a contest. */
import { Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiOperation, ApiProduces, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { SpaceId } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { invalidRequest } from '../../http/problems/problems.js';
import { Moderation } from '../../http/reads/moderation.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import { Contest, contestParam } from '../contest-paths.js';
import { exportCsv, exportWcif } from './contest-export.js';
import { ImportContests } from './exchange.commands.js';
import { ImportPreviewDto, ImportReportDto } from './exchange.dto.js';
import { FaultError } from './formats/contest-file.js';
import { type ImportPreview, PreviewImport } from './importing/import.queries.js';
import { ImportGate, MAX_IMPORT_BYTES } from './importing/import-gate.js';

const EXPORTS = ['wcif', 'csv'] as const;

const replaceQuery = ApiQuery({
  name: 'replace',
  required: false,
  schema: { type: 'boolean', default: false },
  description:
    'Replaces results that differ from the file, in open rounds of an ongoing contest; results that are not in the file stay',
});
const openQuery = ApiQuery({
  name: 'open',
  required: false,
  schema: { type: 'boolean', default: false },
  description: 'Leaves the contests ongoing with their rounds open, instead of finished',
});
const fileBody = ApiBody({
  description: `A WCIF (application/json) or a results CSV (text/csv) of at most ${MAX_IMPORT_BYTES} bytes`,
  schema: { type: 'string' },
});

@Moderation()
export class ExchangeModerationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly gate: ImportGate,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  @Post('imports/preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Preview an import: what it would change (admins)' })
  @openQuery
  @replaceQuery
  @ApiConsumes('application/json', 'text/csv')
  @fileBody
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
    const { open, replace } = readImport(query);
    const options = { spaceId, open, replace };
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
  @replaceQuery
  @ApiQuery({
    name: 'preview',
    required: false,
    description: 'Fingerprint of a preview; refused (409) when the import would now make other changes',
  })
  @ApiConsumes('application/json', 'text/csv')
  @fileBody
  @ApiResponse({ status: 200, type: ImportReportDto, description: 'What was done with each contest' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 503)
  async import(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Http() { request, reply }: HttpExchange,
  ): Promise<ImportReportDto> {
    const account = await this.signedIn.admin(request, spaceId);
    const { open, replace, preview } = readImport(query);
    if (replace && preview === null) throw invalidRequest([REPLACED_UNSEEN]);
    const options = { spaceId, open, replace, ...(preview === null ? {} : { preview }) };
    const importing = new ImportContests(this.gate.readingsOf(request), options, contextOf(account, request));
    const { contests, position } = await this.commands.execute(importing);
    await this.readYourWrites.waitUntilVisible(position, reply);
    return {
      contests: contests.map(({ competitionId, outcome, results, persons, faults }) => ({
        competitionId,
        outcome,
        results,
        registered: persons.filter(({ by }) => by === 'new').length,
        faults: faults.map(({ line, column, reason }) => ({ line, column, reason })),
      })),
    };
  }

  @Get('contests/:competitionId/export')
  @ApiOperation({ summary: 'Export a contest, drafts too, as WCIF or as a CSV of its results' })
  @contestParam
  @ApiQuery({ name: 'format', required: false, enum: EXPORTS, schema: { default: 'wcif' } })
  @ApiProduces('application/json', 'text/csv')
  @ApiResponse({
    status: 200,
    description: 'The contest as a file, which can be imported again',
    content: {
      'application/json': { schema: { type: 'object', description: 'WCIF 1.1' } },
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
    fields.check();
    const [file, type, text] =
      format === 'wcif'
        ? (['json', 'application/json', await this.wcif(contest)] as const)
        : (['csv', 'text/csv', await exportCsv(this.queries, [contest])] as const);
    reply
      .header('Content-Type', `${type}; charset=utf-8`)
      .header('Content-Disposition', `attachment; filename="${contest.competitionId}.${file}"`)
      .send(text);
  }

  private async wcif(contest: ContestRef): Promise<string> {
    try {
      return `${JSON.stringify(await exportWcif(this.queries, contest), null, 2)}\n`;
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

interface ImportQuery {
  readonly open: boolean;
  readonly replace: boolean;
  readonly preview: string | null;
}

const readImport = (query: Fields): ImportQuery => {
  const fields = new FieldReader(query);
  const open = fields.oneOf('open', ['true', 'false'], 'false') === 'true';
  const replace = fields.oneOf('replace', ['true', 'false'], 'false') === 'true';
  const preview = fields.text('preview', 'the fingerprint of a preview');
  fields.check();
  return { open, replace, preview };
};
