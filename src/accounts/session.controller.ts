/** Sign-in, sign-out, the signed-in account, and changes of its own password. */
import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { SignedInAccount } from '../foundation/operational/account.js';
import { readBody } from '../http/body/body.js';
import { Http, type HttpExchange } from '../http/message/http-exchange.js';
import { Problems } from '../http/openapi/openapi-decorators.js';
import { AccessControl } from './access-control.js';
import { ChangePasswordBody, CredentialsBody, SignedInDto } from './account.dto.js';
import { Accounts } from './accounts.js';
import { BrowserSessions } from './browser-sessions.js';
import { requireSameSite } from './same-site.js';
import { SignIn } from './sign-in.js';

@ApiTags('session')
@Controller('api/session')
export class SessionController {
  constructor(
    private readonly signIns: SignIn,
    private readonly sessions: BrowserSessions,
    private readonly signedIn: AccessControl,
    private readonly accounts: Accounts,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Sign in: the reply sets a cookie',
    description:
      'An account with a passkey or an authenticator app also needs `code`; without it the reply is 401 `second-factor-missing`.',
  })
  @ApiBody({ type: CredentialsBody })
  @ApiResponse({ status: 200, type: SignedInDto, description: 'The signed-in account' })
  @Problems(400, 401, 403, 413, 415, 429, 503)
  async start(@Body() body: unknown, @Http() exchange: HttpExchange): Promise<SignedInAccount> {
    const { request } = exchange;
    requireSameSite(request);
    const account = await this.signIns.accountOf(readBody(body, CredentialsBody), request.ip);
    await this.sessions.renew('signed-in', account, exchange);
    return this.signedIn.shown(account);
  }

  @Get()
  @ApiOperation({ summary: 'Get the account that is signed in' })
  @ApiResponse({ status: 200, type: SignedInDto, description: 'The signed-in account' })
  @Problems(401, 503)
  async get(@Req() request: FastifyRequest): Promise<SignedInAccount> {
    return this.signedIn.shown(await this.signedIn.stored(request));
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign out' })
  @ApiResponse({ status: 204, description: 'The session is over' })
  @Problems(403, 503)
  async end(@Http() exchange: HttpExchange): Promise<void> {
    requireSameSite(exchange.request);
    await this.sessions.end(await this.signedIn.orNull(exchange.request), exchange);
  }

  @Put('password')
  @HttpCode(204)
  @ApiOperation({ summary: 'Change your own password, which ends all other sessions' })
  @ApiBody({ type: ChangePasswordBody })
  @ApiResponse({ status: 204, description: 'The password is changed and the cookie renewed' })
  @Problems(400, 401, 403, 413, 415, 429, 503)
  async changePassword(@Body() body: unknown, @Http() exchange: HttpExchange): Promise<void> {
    const { request } = exchange;
    const account = await this.signedIn.stored(request);
    const { currentPassword, newPassword } = readBody(body, ChangePasswordBody);
    await this.signIns.confirm(account, currentPassword, request.ip);
    const changed = await this.accounts.changePassword(account, { currentPassword, newPassword });
    await this.sessions.renew('password-changed', changed, exchange);
  }
}
