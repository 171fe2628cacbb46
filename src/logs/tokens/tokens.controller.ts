/**
 * Managing access tokens over HTTP, for accounts with the right to manage them. A token cannot issue another token. Otherwise a stolen
 * token could issue a second one that survives its revocation.
 */
import { Body, Controller, Delete, HttpCode, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiCookieAuth, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { readBody } from '../../http/body/body.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { GetList, Problems } from '../../http/openapi/openapi-decorators.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import { WaitForPosition } from '../../http/reads/wait-for-position.js';
import { IssueToken, RevokeToken } from './token.commands.js';
import { IssuedTokenDto, TokenBody, TokenDto } from './token.dto.js';
import { ListTokens, type TokenView } from './token.queries.js';

@ApiTags('log endpoints')
@ApiCookieAuth('session')
@UseInterceptors(WaitForPosition)
@Controller('api/moderation/logs/tokens')
export class TokensController {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
  ) {}

  @GetList(TokenDto, 'List the access tokens, oldest first', 'Also revoked ones')
  @Problems(400, 401, 403, 503)
  async list(@Req() request: FastifyRequest): Promise<readonly TokenView[]> {
    await this.signedIn.tokenManager(request);
    return this.queries.execute(new ListTokens());
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Issue an access token' })
  @ApiBody({ type: TokenBody })
  @ApiResponse({ status: 201, type: IssuedTokenDto, description: 'The token, which no later reply shows' })
  @Problems(400, 401, 403, 404, 413, 415, 503)
  async issue(@Body() body: unknown, @Http() { request, reply }: HttpExchange): Promise<IssuedTokenDto> {
    const account = await this.signedIn.tokenManager(request);
    const { name, scopes, project } = readBody(body, TokenBody);
    const wanted = { name, scopes, project: project || null };
    const command = new IssueToken(wanted, contextOf(account, request));
    const { tokenId, token, scopes: granted } = await this.commands.execute(command, reply);
    return { tokenId, token, scopes: granted };
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke an access token for good' })
  @ApiParam({ name: 'tokenId', example: 'Jh2kQ0' })
  @ApiResponse({ status: 204, description: 'The token is revoked' })
  @Problems(400, 401, 403, 404, 503)
  async revoke(@Param('tokenId') tokenId: string, @Http() { request, reply }: HttpExchange): Promise<void> {
    const account = await this.signedIn.tokenManager(request);
    await this.commands.execute(new RevokeToken(tokenId, contextOf(account, request)), reply);
  }
}
