/** Sign-in with a passkey alone: the device has checked its user. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { SignedInAccount } from '../foundation/operational/account.js';
import { readBody } from '../http/body/body.js';
import { Buckets, networkOf } from '../http/credentials/buckets.js';
import { Http, type HttpExchange } from '../http/message/http-exchange.js';
import { Problems } from '../http/openapi/openapi-decorators.js';
import { type FailureError, tooMany } from '../http/problems/failure.js';
import { AccessControl } from './access-control.js';
import { SignedInDto } from './account.dto.js';
import { BrowserSessions } from './browser-sessions.js';
import type { ChallengeFor } from './factors/challenges.js';
import { browserOptions, PasskeyAnswerBody } from './factors/factors.dto.js';
import { Passkeys } from './factors/passkeys.js';
import { RandomCookie, randomCookieValue } from './random-cookie.js';
import { requireSameSite } from './same-site.js';

/** A signature cannot be guessed, so this limits only the challenges that one network has stored. */
const CHALLENGES_OF_NETWORK = { burst: 60, perMinute: 60 };

const challengeCookie = new RandomCookie('podium_challenge');

@ApiTags('session')
@Controller('api/session/passkey')
export class PasskeySignInController {
  private readonly networks = new Buckets(CHALLENGES_OF_NETWORK);

  constructor(
    private readonly passkeys: Passkeys,
    private readonly signedIn: AccessControl,
    private readonly sessions: BrowserSessions,
  ) {}

  @Post('options')
  @HttpCode(200)
  @ApiOperation({ summary: 'Begin to sign in with a passkey: the reply sets a cookie for its challenge' })
  @ApiResponse({ status: 200, schema: browserOptions, description: 'For navigator.credentials.get' })
  @Problems(403, 422, 429, 503)
  async begin(@Http() { request, reply }: HttpExchange): Promise<object> {
    requireSameSite(request);
    const now = Date.now();
    const seconds = this.networks.take(networkOf(request.ip), now);
    if (seconds !== null) throw tooManyBegun(seconds);
    const cookie = randomCookieValue();
    const options = await this.passkeys.requestOptions({ request, challenge: challengeOf(cookie), now });
    challengeCookie.set(request, reply, cookie);
    return options;
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Sign in with the answer of a passkey, within 10 minutes: the reply sets a cookie',
  })
  @ApiBody({ type: PasskeyAnswerBody })
  @ApiResponse({ status: 200, type: SignedInDto, description: 'The signed-in account' })
  @Problems(400, 401, 403, 413, 415, 422, 503)
  async start(@Body() body: unknown, @Http() exchange: HttpExchange): Promise<SignedInAccount> {
    const { request, reply } = exchange;
    requireSameSite(request);
    const { response } = readBody(body, PasskeyAnswerBody);
    const challenge = challengeOf(challengeCookie.valueIn(request));
    const account = await this.passkeys.accountOf(response, { request, challenge, now: Date.now() });
    challengeCookie.clear(request, reply);
    await this.sessions.renew('signed-in', account, exchange);
    return this.signedIn.shown(account);
  }
}

const challengeOf = (cookie: string | null): ChallengeFor => ({ purpose: 'sign-in', cookie });

const tooManyBegun = (seconds: number): FailureError =>
  tooMany(
    'too-many-sign-ins',
    seconds,
    `Too many passkey sign-ins were begun from this network; wait ${seconds} s before the next`,
  );
