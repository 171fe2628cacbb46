/** Sign-in, sign-out, the signed-in account, and changes of its own password. */
import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedInAccount } from '../foundation/operational/account.js';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import { readBody } from '../http/body/body.js';
import { Http, type HttpExchange } from '../http/message/http-exchange.js';
import { Problems } from '../http/openapi/openapi-decorators.js';
import { AccessControl, signedInAs } from './access-control.js';
import { ChangePasswordBody, CredentialsBody, SignedInDto } from './account.dto.js';
import { Accounts } from './accounts.js';
import { requireSameSite } from './same-site.js';
import { clearSessionCookie, sessionIdOf, setSessionCookie } from './session-cookie.js';
import { Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';

@ApiTags('session')
@Controller('api/session')
export class SessionController {
  constructor(
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly signedIn: AccessControl,
    private readonly accounts: Accounts,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in: the reply sets a cookie' })
  @ApiBody({ type: CredentialsBody })
  @ApiResponse({ status: 200, type: SignedInDto, description: 'The signed-in account' })
  @Problems(400, 401, 403, 413, 415, 429, 503)
  async start(@Body() body: unknown, @Http() { request, reply }: HttpExchange): Promise<SignedInAccount> {
    requireSameSite(request);
    const account = await this.signIns.accountOf(readBody(body, CredentialsBody), request.ip);
    await this.renew(account, request, reply);
    return signedInAs(account);
  }

  @Get()
  @ApiOperation({ summary: 'Get the account that is signed in' })
  @ApiResponse({ status: 200, type: SignedInDto, description: 'The signed-in account' })
  @Problems(401, 503)
  async get(@Req() request: FastifyRequest): Promise<SignedInAccount> {
    return signedInAs(await this.signedIn.stored(request));
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign out' })
  @ApiResponse({ status: 204, description: 'The session is over' })
  @Problems(403, 503)
  async end(@Http() { request, reply }: HttpExchange): Promise<void> {
    requireSameSite(request);
    const sessionId = sessionIdOf(request);
    if (sessionId !== null) await this.sessions.end(sessionId);
    clearSessionCookie(request, reply);
  }

  @Put('password')
  @HttpCode(204)
  @ApiOperation({ summary: 'Change your own password, which ends all other sessions' })
  @ApiBody({ type: ChangePasswordBody })
  @ApiResponse({ status: 204, description: 'The password is changed and the cookie renewed' })
  @Problems(400, 401, 403, 413, 415, 429, 503)
  async changePassword(@Body() body: unknown, @Http() { request, reply }: HttpExchange): Promise<void> {
    const account = await this.signedIn.stored(request);
    const { currentPassword, newPassword } = readBody(body, ChangePasswordBody);
    await this.signIns.confirm(account, currentPassword, request.ip);
    const changed = await this.accounts.changePassword(account, { currentPassword, newPassword });
    await this.renew(changed, request, reply);
  }

  /** The old session ends, so an attacker who knew its id before the sign-in has nothing. */
  private async renew(account: StoredAccount, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const before = sessionIdOf(request);
    if (before !== null) await this.sessions.end(before);
    const place = { userAgent: request.headers['user-agent'], address: request.ip };
    setSessionCookie(request, reply, await this.sessions.start(account, Date.now(), place));
  }
}
