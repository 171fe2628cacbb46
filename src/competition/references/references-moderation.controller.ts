/** The reference records of a space over HTTP, for its admins: the set, as JSON and as files, and its replacement. */
import { Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiProduces, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { SpaceId } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import { fileBody, previewQuery } from '../exchange/import-docs.js';
import { ImportGate } from '../exchange/importing/import-gate.js';
import type { NamedReference, ReferencesSource } from './reference-file.js';
import {
  ExportReferences,
  ImportReferences,
  ListReferences,
  PreviewReferences,
  type ReferencesPreview,
} from './references.commands.js';
import { ReferenceCountsDto, ReferenceRecordDto, ReferencesPreviewDto } from './references.dto.js';

const referencesFile = fileBody(
  'A CSV with the columns event, kind, category, region, value, who, since, or a JSON array of objects with these fields',
);

const FORMATS = ['csv', 'json'] as const;

@Moderation('references')
export class ReferencesModerationController {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly gate: ImportGate,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the reference records of the space (admins)' })
  @ApiResponse({ status: 200, type: ReferenceRecordDto, isArray: true, description: 'By event' })
  @Problems(400, 401, 403, 404, 503)
  async list(@SpaceId() spaceId: string, @Req() request: FastifyRequest): Promise<readonly NamedReference[]> {
    await this.signedIn.admin(request, spaceId);
    return this.queries.execute(new ListReferences(spaceId));
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Preview an import of reference records: what it would change (admins)' })
  @referencesFile
  @ApiResponse({
    status: 200,
    type: ReferencesPreviewDto,
    description: 'How many records would change; for a file with faults each fault with its line and column',
  })
  @Problems(400, 401, 403, 404, 413, 415, 503)
  preview(@SpaceId() spaceId: string, @Req() request: FastifyRequest): Promise<ReferencesPreview> {
    return this.queries.execute(new PreviewReferences(spaceId, this.#sourceOf(request)));
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Replace the reference records of the space by those of a file (admins)',
    description:
      'All or nothing: a file with faults is refused, and each fault is named with its line and column. Records that are not in the file are removed. The same file again changes nothing.',
  })
  @previewQuery
  @referencesFile
  @ApiResponse({ status: 200, type: ReferenceCountsDto, description: 'How many records were changed' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 503)
  async import(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Http() { request, reply }: HttpExchange,
  ): Promise<ReferenceCountsDto> {
    const account = await this.signedIn.admin(request, spaceId);
    const fields = new FieldReader(query);
    const preview = fields.text('preview', 'the fingerprint of a preview');
    fields.check();
    const command = new ImportReferences(
      spaceId,
      this.#sourceOf(request),
      preview,
      contextOf(account, request),
    );
    const { position: _, ...counts } = await this.commands.execute(command, reply);
    return counts;
  }

  @Get('export')
  @ApiOperation({ summary: 'Export the reference records of the space as a file (admins)' })
  @ApiQuery({ name: 'format', required: false, enum: FORMATS, schema: { default: 'csv' } })
  @ApiProduces('application/json', 'text/csv')
  @ApiResponse({
    status: 200,
    description: 'The file, which can be imported again',
    content: {
      'application/json': { schema: { type: 'array', items: { type: 'object' } } },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  @Problems(400, 401, 403, 404, 503)
  async export(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.signedIn.admin(request, spaceId);
    const fields = new FieldReader(query);
    const format = fields.oneOf('format', FORMATS, 'csv');
    fields.check();
    const text = await this.queries.execute(new ExportReferences(spaceId, format));
    reply
      .header('Content-Type', `${format === 'csv' ? 'text/csv' : 'application/json'}; charset=utf-8`)
      .header('Content-Disposition', `attachment; filename="${spaceId}-references.${format}"`)
      .send(text);
  }

  #sourceOf(request: FastifyRequest): ReferencesSource {
    const { format, bytes } = this.gate.fileOf(request);
    return format === 'csv' ? { format, name: 'CSV', bytes } : { format: 'json', name: 'JSON', bytes };
  }
}
