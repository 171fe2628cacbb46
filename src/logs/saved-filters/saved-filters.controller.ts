/** Saved filters of LQL over HTTP, for those who may have alerts: a token that is tied to a project has those of its project. */
import { Body, Controller, Delete, HttpCode, Param, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  ApiResponse,
  ApiTags,
  PickType,
} from '@nestjs/swagger';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { aText, JsonFields, orNull } from '../../http/body/json-fields.js';
import { GetList, KeyOrSession, Problems } from '../../http/openapi/openapi-decorators.js';
import { Caller } from '../log-callers.js';
import type { Owner } from '../owner.js';
import type { SavedFilterView } from './saved-filter.js';
import { MAX_FILTER_LENGTH, SavedFilters } from './saved-filters.js';

class SavedFilterDto implements SavedFilterView {
  @ApiProperty({ example: 'failed', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$' })
  name: string;

  @ApiProperty({ type: String, nullable: true, description: 'Whose queries find it; null: those of all' })
  project: string | null;

  @ApiProperty({ type: String, maxLength: MAX_FILTER_LENGTH, example: 'm.response.status_code:>=500' })
  lql: string;

  @ApiProperty({ description: 'Of its text' })
  revision: string;
}

class SavedFilterBody extends PickType(SavedFilterDto, ['lql']) {
  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'Default: that of the token, or all for a token of none',
  })
  project?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'Of the filter that this one replaces; null: none. Another one is kept (409). Missing: it replaces any',
  })
  revision?: string | null;
}

const nameParam = ApiParam({ name: 'name', example: 'failed' });

@ApiTags('log endpoints')
@KeyOrSession()
@Controller('api/logs/filters')
export class SavedFiltersController {
  constructor(private readonly filters: SavedFilters) {}

  @GetList(
    SavedFilterDto,
    'List the saved filters of LQL (scope admin; tied to a project: query)',
    'Sorted by name',
  )
  @Problems(400, 401, 403, 429, 503)
  list(@Caller() owner: Owner): Promise<readonly SavedFilterView[]> {
    return this.filters.list(owner);
  }

  @Put(':name')
  @ApiOperation({
    summary: 'Save a filter, or replace the one with this name (scope admin; tied to a project: query)',
  })
  @nameParam
  @ApiBody({ type: SavedFilterBody })
  @ApiResponse({ status: 200, type: SavedFilterDto, description: 'The filter' })
  @Problems(400, 401, 403, 409, 413, 415, 422, 429, 503)
  async save(
    @Param('name') name: string,
    @Body() body: unknown,
    @Caller() owner: Owner,
  ): Promise<SavedFilterView> {
    const fields = JsonFields.of(body);
    const lql = fields.needed('lql', aText, '').trim();
    const project = fields.given('project', orNull(aText), null);
    const seen = fields.change('revision', orNull(aText));
    fields.check();
    return this.filters.save({ name, project, lql, ...seen }, owner);
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a saved filter (scope admin; tied to a project: query)' })
  @nameParam
  @ApiQuery({ name: 'project', required: false, description: 'Of which project. Default: as of a save' })
  @ApiResponse({ status: 204, description: 'No filter has this name' })
  @Problems(400, 401, 403, 404, 429, 503)
  async remove(@Param('name') name: string, @Query() query: Fields, @Caller() owner: Owner): Promise<void> {
    const fields = new FieldReader(query);
    const project = fields.text('project', 'the name of a project');
    fields.check();
    await this.filters.remove(name, project, owner);
  }
}
