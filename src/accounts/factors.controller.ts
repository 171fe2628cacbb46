/**
 * The factors of the signed-in account: its user lists, adds and removes them. Only a short time after a sign-in, so that
 * a browser left open cannot lock its user out. Each change ends the account's other sessions.
 */
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import type { StoredFactors } from '../foundation/operational/factors.js';
import { readBody } from '../http/body/body.js';
import { Http, type HttpExchange } from '../http/message/http-exchange.js';
import { Problems } from '../http/openapi/openapi-decorators.js';
import { AccessControl } from './access-control.js';
import { BrowserSessions } from './browser-sessions.js';
import { AccountFactors } from './factors/account-factors.js';
import { AuthenticatorSetup } from './factors/authenticator-setup.js';
import type { ChallengeFor, ChallengePurpose } from './factors/challenges.js';
import {
  AddedFactorDto,
  browserOptions,
  CodeBody,
  FactorsDto,
  NewAuthenticatorDto,
  NewPasskeyBody,
  RecoveryCodesDto,
  shownFactors,
} from './factors/factors.dto.js';
import {
  withAuthenticator,
  withNewRecoveryCodes,
  withoutAuthenticator,
  withoutPasskey,
  withPasskey,
} from './factors/factors.js';
import { Passkeys } from './factors/passkeys.js';
import { sessionIdOf } from './session-cookie.js';

@ApiTags('session')
@Controller('api/session/factors')
export class FactorsController {
  constructor(
    private readonly signedIn: AccessControl,
    private readonly factors: AccountFactors,
    private readonly passkeys: Passkeys,
    private readonly authenticators: AuthenticatorSetup,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List your passkeys, your authenticator app and the number of recovery codes' })
  @ApiResponse({ status: 200, type: FactorsDto, description: 'No secret is among them' })
  @Problems(401, 403, 503)
  async list(@Req() request: FastifyRequest): Promise<FactorsDto> {
    return shownFactors(await this.signedIn.withOwnPassword(request));
  }

  @Post('passkeys/options')
  @HttpCode(200)
  @ApiOperation({ summary: 'Begin to add a passkey' })
  @ApiResponse({ status: 200, schema: browserOptions, description: 'For navigator.credentials.create' })
  @Problems(401, 403, 422, 503)
  async beginPasskey(@Req() request: FastifyRequest): Promise<object> {
    const account = await this.signedIn.afterRecentSignIn(request);
    const challenge = challengeOf(request, 'new-passkey');
    return this.passkeys.creationOptions(account, { request, challenge, now: Date.now() });
  }

  @Post('passkeys')
  @HttpCode(201)
  @ApiOperation({ summary: 'Add the passkey that the browser has made, within 10 minutes' })
  @ApiBody({ type: NewPasskeyBody })
  @ApiResponse({ status: 201, type: AddedFactorDto, description: 'It is added and the cookie renewed' })
  @Problems(400, 401, 403, 413, 415, 422, 503)
  async addPasskey(@Body() body: unknown, @Http() exchange: HttpExchange): Promise<AddedFactorDto> {
    const { request } = exchange;
    const account = await this.signedIn.withOwnPassword(request);
    const given = readBody(body, NewPasskeyBody);
    const challenge = challengeOf(request, 'new-passkey');
    const passkey = await this.passkeys.created(given, { request, challenge, now: Date.now() });
    return this.add(account, (factors) => withPasskey(factors, passkey), exchange);
  }

  @Delete('passkeys/:passkeyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a passkey' })
  @ApiParam({ name: 'passkeyId', example: '9f3ac2d0b1e4c577' })
  @ApiResponse({ status: 204, description: 'It is removed and the cookie renewed' })
  @Problems(401, 403, 404, 503)
  async removePasskey(@Param('passkeyId') passkeyId: string, @Http() exchange: HttpExchange): Promise<void> {
    await this.change((factors) => withoutPasskey(factors, passkeyId), exchange);
  }

  @Post('authenticator/secret')
  @HttpCode(200)
  @ApiOperation({ summary: 'Begin to set up an authenticator app' })
  @ApiResponse({ status: 200, type: NewAuthenticatorDto, description: 'It counts once a code is given' })
  @Problems(401, 403, 503)
  async beginAuthenticator(@Req() request: FastifyRequest): Promise<NewAuthenticatorDto> {
    const account = await this.signedIn.afterRecentSignIn(request);
    return this.authenticators.begin(account, challengeOf(request, 'new-authenticator'), Date.now());
  }

  @Put('authenticator')
  @ApiOperation({ summary: 'Finish with the code that the app shows; an app from before has ended' })
  @ApiBody({ type: CodeBody })
  @ApiResponse({ status: 200, type: AddedFactorDto, description: 'It is set up and the cookie renewed' })
  @Problems(400, 401, 403, 413, 415, 422, 503)
  async setAuthenticator(@Body() body: unknown, @Http() exchange: HttpExchange): Promise<AddedFactorDto> {
    const { request } = exchange;
    const account = await this.signedIn.withOwnPassword(request);
    const { code } = readBody(body, CodeBody);
    const challenge = challengeOf(request, 'new-authenticator');
    const authenticator = await this.authenticators.finish(code, challenge, Date.now());
    return this.add(account, (factors) => withAuthenticator(factors, authenticator), exchange);
  }

  @Delete('authenticator')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove the authenticator app' })
  @ApiResponse({ status: 204, description: 'It is removed and the cookie renewed' })
  @Problems(401, 403, 404, 503)
  async removeAuthenticator(@Http() exchange: HttpExchange): Promise<void> {
    await this.change(withoutAuthenticator, exchange);
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @ApiOperation({ summary: 'Make ten new recovery codes; all from before have ended' })
  @ApiResponse({ status: 200, type: RecoveryCodesDto, description: 'Each signs in once, after the password' })
  @Problems(401, 403, 404, 503)
  async newRecoveryCodes(@Http() exchange: HttpExchange): Promise<RecoveryCodesDto> {
    let recoveryCodes: readonly string[] = [];
    await this.change((before) => {
      const made = withNewRecoveryCodes(before);
      recoveryCodes = made.recoveryCodes;
      return made.factors;
    }, exchange);
    return { recoveryCodes };
  }

  private async change(
    decide: (factors: StoredFactors) => StoredFactors,
    exchange: HttpExchange,
  ): Promise<void> {
    const account = await this.signedIn.afterRecentSignIn(exchange.request);
    const changed = await this.factors.change(account, decide);
    await this.sessions.renew('factors-changed', changed, exchange);
  }

  private async add(
    before: StoredAccount,
    decide: (factors: StoredFactors) => StoredFactors,
    exchange: HttpExchange,
  ): Promise<AddedFactorDto> {
    const { account, recoveryCodes } = await this.factors.add(before, decide);
    await this.sessions.renew('factors-changed', account, exchange);
    return { recoveryCodes };
  }
}

/** A challenge exists only for a session that was recent when it began: the answer need not come from a recent one. */
const challengeOf = (request: FastifyRequest, purpose: ChallengePurpose): ChallengeFor => ({
  purpose,
  cookie: sessionIdOf(request),
});
