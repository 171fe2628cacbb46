/** The merge of two records of one person over HTTP, for admins: what it would do, and doing it. */
import { Body, Get, Param, Post, Query, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { readBody } from '../../http/body/body.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { MergePersons } from '../persons/person.commands.js';
import type { PersonDetailView } from '../persons/person.queries.js';
import {
  ChangesPerson,
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
  @ApiOperation({ summary: 'Merge this person into another; there is no unmerge (admins)' })
  @ApiBody({ type: MergeBody })
  @ChangesPerson({ description: 'The person that stays' })
  merge(
    @Param() params: OfPerson,
    @Body() body: unknown,
    @Http() http: HttpExchange,
  ): Promise<PersonDetailView> {
    return this.moderation.change(params, http, (personId, context) => {
      const { into } = readBody(body, MergeBody);
      return new MergePersons(personId, into, context);
    });
  }
}
