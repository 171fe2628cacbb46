/** The merge of two records of one person over HTTP, for admins: what it would do, and doing it. */
import { Body, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBody } from '../../http/body/body.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { MergePersons } from '../persons/person.commands.js';
import type { PersonDetailView } from '../persons/person.queries.js';
import {
  changedPerson,
  MAX_ID,
  type OfPerson,
  PersonModeration,
  personParam,
} from '../persons/person-moderation.js';
import { MergeBody, MergePreviewDto } from './merge.dto.js';
import { type MergePreviewView, PreviewMerge } from './merge-preview.js';

@Moderation('persons')
export class MergeModerationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly moderation: PersonModeration,
  ) {}

  @Get(':personId/merge')
  @ApiOperation({ summary: 'See what merging this person into another would do (admins)' })
  @personParam
  @ApiQuery({ name: 'into', required: true, schema: { type: 'integer' }, example: 7 })
  @ApiResponse({ status: 200, type: MergePreviewDto, description: 'Nothing is changed' })
  @Problems(400, 401, 403, 404, 503)
  async preview(
    @Param() params: OfPerson,
    @Query() query: Fields,
    @Req() request: FastifyRequest,
  ): Promise<MergePreviewView> {
    const { personId } = await this.moderation.changing(params, request);
    const fields = new FieldReader({ into: '', ...query });
    const into = fields.integer('into', { from: 1, to: MAX_ID }, 0);
    fields.check();
    await this.moderation.named({ ...params, personId: String(into) });
    return this.queries.execute(new PreviewMerge(personId, into));
  }

  @Post(':personId/merge')
  @HttpCode(200)
  @ApiOperation({ summary: 'Merge this person into another; there is no unmerge (admins)' })
  @personParam
  @ApiBody({ type: MergeBody })
  @ApiResponse({ ...changedPerson, description: 'The person that stays' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  async merge(
    @Param() params: OfPerson,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDetailView> {
    const { personId, context } = await this.moderation.changing(params, request);
    const { into } = readBody(body, MergeBody);
    return this.moderation.shown(
      await this.commands.execute(new MergePersons(personId, into, context)),
      reply,
    );
  }
}
