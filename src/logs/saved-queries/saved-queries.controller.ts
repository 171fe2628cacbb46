/** The saved queries of the log explorer over HTTP, for accounts that read the logs: all of them share one list. */
import { Body, Controller, Delete, HttpCode, Param, Put, Req, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ApiBody,
  ApiCookieAuth,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiResponse,
  ApiTags,
  PickType,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { aText, JsonFields } from '../../http/body/json-fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { GetList, Problems } from '../../http/openapi/openapi-decorators.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import { WaitForPosition } from '../../http/reads/wait-for-position.js';
import {
  ListSavedLogQueries,
  RemoveSavedLogQuery,
  type SavedQueryView,
  SaveLogQuery,
} from './saved-query.commands.js';
import { MAX_ADDRESS_LENGTH } from './saved-query.decider.js';

class SavedQueryDto implements SavedQueryView {
  @ApiProperty({ example: 'failed-requests', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' })
  name: string;

  @ApiProperty({
    example: 'endpoint=logs.all&lql=m.response.status_code%3A%3E%3D500&p.project=todo-app&last=24h',
    maxLength: MAX_ADDRESS_LENGTH,
    description: 'The query as the address of the explorer has it',
  })
  address: string;
}

class SavedQueryBody extends PickType(SavedQueryDto, ['address']) {}

const nameParam = ApiParam({ name: 'name', example: 'failed-requests' });

@ApiTags('log endpoints')
@ApiCookieAuth('session')
@UseInterceptors(WaitForPosition)
@Controller('api/moderation/logs/saved-queries')
export class SavedQueriesController {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
  ) {}

  @GetList(SavedQueryDto, 'List the saved queries of the log explorer', 'Sorted by name')
  @Problems(400, 401, 403, 503)
  async list(@Req() request: FastifyRequest): Promise<readonly SavedQueryView[]> {
    await this.signedIn.logReader(request);
    return this.queries.execute(new ListSavedLogQueries());
  }

  @Put(':name')
  @HttpCode(204)
  @ApiOperation({ summary: 'Save a query of the log explorer, or replace the one with this name' })
  @nameParam
  @ApiBody({ type: SavedQueryBody })
  @ApiResponse({ status: 204, description: 'The query is saved' })
  @Problems(400, 401, 403, 413, 415, 503)
  async save(
    @Param('name') name: string,
    @Body() body: unknown,
    @Http() { request, reply }: HttpExchange,
  ): Promise<void> {
    const account = await this.signedIn.logReader(request);
    const fields = JsonFields.of(body);
    const address = fields.needed('address', aText, '');
    fields.check();
    await this.commands.execute(new SaveLogQuery(name, address, contextOf(account, request)), reply);
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a saved query' })
  @nameParam
  @ApiResponse({ status: 204, description: 'No query has this name' })
  @Problems(400, 401, 403, 503)
  async remove(@Param('name') name: string, @Http() { request, reply }: HttpExchange): Promise<void> {
    const account = await this.signedIn.logReader(request);
    await this.commands.execute(new RemoveSavedLogQuery(name, contextOf(account, request)), reply);
  }
}
