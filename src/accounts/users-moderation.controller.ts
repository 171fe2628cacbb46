/** The API of the users page: an admin creates, changes and removes the accounts of the space. */
import { Body, Delete, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DEFAULT_SPACE } from '../domain/ids.js';
import { RejectedError } from '../domain/rejections.js';
import type { Account, ListedAccount } from '../foundation/operational/account.js';
import { readBody } from '../http/body/body.js';
import { FieldReader, type Fields } from '../http/body/fields.js';
import { type InSpace, SpaceId } from '../http/message/space-segment.js';
import { GetList, Problems } from '../http/openapi/openapi-decorators.js';
import { Moderation } from '../http/reads/moderation.js';
import { AccessControl, contextOf } from './access-control.js';
import {
  AccountDto,
  AccountWithPasswordDto,
  EditAccountBody,
  ListedAccountDto,
  NewAccountBody,
  OneTimePasswordDto,
} from './account.dto.js';
import { Accounts, type WithPassword } from './accounts.js';
import { AccountFactors } from './factors/account-factors.js';

interface OfAccount extends InSpace {
  readonly accountId: string;
}

const accountParam = ApiParam({ name: 'accountId', example: '0b7b0f8e-6f0e-4a58-9a57-3f1f2f6f6d10' });

@Moderation('users')
export class UsersModerationController {
  constructor(
    private readonly accounts: Accounts,
    private readonly factors: AccountFactors,
    private readonly signedIn: AccessControl,
  ) {}

  @GetList(ListedAccountDto, 'List the accounts of the space (admins)', 'Sorted by email')
  @Problems(400, 401, 403, 503)
  async list(@SpaceId() spaceId: string, @Req() request: FastifyRequest): Promise<readonly ListedAccount[]> {
    await this.signedIn.admin(request, spaceId);
    return this.accounts.list(spaceId);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Create an account with a one-time password (admins)' })
  @ApiBody({ type: NewAccountBody })
  @ApiResponse({ status: 201, type: AccountWithPasswordDto, description: 'The account with its password' })
  @Problems(400, 401, 403, 409, 413, 415, 429, 503)
  async create(
    @SpaceId() spaceId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<WithPassword> {
    const admin = await this.signedIn.admin(request, spaceId);
    const fields = readBody(body, NewAccountBody);
    const { email, name, role, contests = [], readsLogs = false, managesTokens = false } = fields;
    requireGrants(admin, { readsLogs, managesTokens });
    const account = { spaceId, email, name, role, contests, readsLogs, managesTokens };
    return this.accounts.create(account, null, contextOf(admin, request));
  }

  @Patch(':accountId')
  @ApiOperation({ summary: 'Change an account; missing fields stay unchanged (admins)' })
  @accountParam
  @ApiBody({ type: EditAccountBody })
  @ApiResponse({ status: 200, type: AccountDto, description: 'The account after the change' })
  @Problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
  async edit(
    @Param() params: OfAccount,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Account> {
    const { admin, account } = await this.adminAndAccount(params, request);
    const { email, name, role, contests, readsLogs, managesTokens } = readBody(body, EditAccountBody);
    requireGrants(admin, {
      readsLogs: readsLogs === true && !account.readsLogs,
      managesTokens: managesTokens === true && !account.managesTokens,
    });
    const edit = {
      ...(email !== undefined && { email }),
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
      ...(contests !== undefined && { contests }),
      ...(readsLogs !== undefined && { readsLogs }),
      ...(managesTokens !== undefined && { managesTokens }),
    };
    return this.accounts.edit(account, edit, contextOf(admin, request));
  }

  @Post(':accountId/password')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give an account a new one-time password, which signs it out (admins)' })
  @accountParam
  @ApiResponse({ status: 200, type: OneTimePasswordDto, description: 'No later reply shows the password' })
  @Problems(400, 401, 403, 404, 429, 503)
  async resetPassword(
    @Param() params: OfAccount,
    @Req() request: FastifyRequest,
  ): Promise<OneTimePasswordDto> {
    const { admin, account } = await this.adminAndAccount(params, request);
    // The admin learns the password, and with it the rights of the account.
    requireGrants(admin, account);
    return { password: await this.accounts.resetPassword(account, contextOf(admin, request)) };
  }

  @Delete(':accountId/factors')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove the passkeys, authenticator app and recovery codes of another account (admins)',
  })
  @accountParam
  @ApiResponse({ status: 204, description: 'The password alone signs in; the sessions are ended' })
  @Problems(400, 401, 403, 404, 503)
  async resetFactors(@Param() params: OfAccount, @Req() request: FastifyRequest): Promise<void> {
    const { admin, account } = await this.adminAndAccount(params, request);
    // With a new password for it, the admin could sign in as the account.
    requireGrants(admin, account);
    if (account.accountId === admin.accountId) refuseOwnFactors();
    await this.factors.reset(account.accountId, contextOf(admin, request));
  }

  @Delete(':accountId')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove an account with every trace of email and name, and end its access tokens (admins)',
  })
  @accountParam
  @ApiQuery({
    name: 'handTokensTo',
    required: false,
    description:
      'Id of an account with the right to tokens, which gets the access tokens: they go on. Only an account with that right can hand them over',
  })
  @ApiResponse({ status: 204, description: 'The account is removed and its sessions are ended' })
  @Problems(400, 401, 403, 404, 422, 503)
  async remove(
    @Param() params: OfAccount,
    @Query() query: Fields,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const { admin, account } = await this.adminAndAccount(params, request);
    const fields = new FieldReader(query);
    const heirId = fields.text('handTokensTo', 'the id of an account');
    fields.check();
    if (heirId !== null && !admin.managesTokens) refuseGrant('may manage access tokens');
    const heir = heirId === null ? null : await this.accounts.find(account.spaceId, heirId);
    await this.accounts.remove(account, contextOf(admin, request), heir);
  }

  private async adminAndAccount(
    { spaceId = DEFAULT_SPACE, accountId }: OfAccount,
    request: FastifyRequest,
  ): Promise<{ readonly admin: Account; readonly account: Account }> {
    const admin = await this.signedIn.admin(request, spaceId);
    return { admin, account: await this.accounts.find(spaceId, accountId) };
  }
}

/** Logs and tokens belong to the whole platform, not to a space. Only an account with such a right can grant it. */
const requireGrants = (admin: Account, granted: Pick<Account, 'readsLogs' | 'managesTokens'>): void => {
  if (granted.readsLogs && !admin.readsLogs) refuseGrant('may read the logs');
  if (granted.managesTokens && !admin.managesTokens) refuseGrant('may manage access tokens');
};

/** They need a recent sign-in. */
const refuseOwnFactors = (): never => {
  const detail = 'remove your own passkeys and codes under Your account';
  throw new RejectedError({ code: 'account-not-allowed', detail });
};

const refuseGrant = (right: string): never => {
  const detail = `only an account that ${right} can grant that right, hand over tokens, or reset the password or the factors of an account that has it`;
  throw new RejectedError({ code: 'account-not-allowed', detail });
};
