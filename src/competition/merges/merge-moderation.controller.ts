/** The merge of two persons over HTTP, for admins: its preview and the merge itself. */
import { Get, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { readBody } from '../../http/body/body.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { MergePersons } from '../persons/person.commands.js';
import type { PersonDetailView } from '../persons/person.queries.js';
import {
  AtPerson,
  ChangesPerson,
  MAX_ID,
  type PersonExchange,
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
  @ApiResponse({ status: 200, type: MergePreviewDto, description: 'What a merge would do' })
  @Problems(400, 401, 403, 404, 503)
  async preview(@AtPerson() at: PersonExchange, @Query() query: Fields): Promise<MergePreviewView> {
    const { personId } = await this.moderation.changing(at);
    const fields = new FieldReader({ into: '', ...query });
    const into = fields.integer('into', { from: 1, to: MAX_ID }, 0);
    fields.check();
    await this.moderation.named({ ...at.params, personId: String(into) });
    return this.queries.execute(new PreviewMerge(personId, into));
  }

  @Post(':personId/merge')
  @ChangesPerson('Merge this person into another; there is no unmerge (admins)', {
    body: MergeBody,
    description: 'Id of the person who stays',
  })
  merge(@AtPerson() at: PersonExchange): Promise<PersonDetailView> {
    return this.moderation.change(at, (personId, context) => {
      const { into } = readBody(at.request.body, MergeBody);
      return new MergePersons(personId, into, context);
    });
  }
}
