/** Accounts in JSON as classes: for the OpenAPI document and for checking bodies. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsBoolean, IsIn, IsString } from 'class-validator';
import {
  type Account,
  type ListedAccount,
  ROLES,
  type Role,
  type SignedInAccount,
} from '../foundation/operational/account.js';
import { FACTOR_KINDS, type FactorKind } from '../foundation/operational/factors.js';
import { MayBeLeftOut } from '../http/body/validate.js';
import type { Device } from './device.js';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-rules.js';

const emailDoc = { format: 'email', example: 'aoife@example.org' };
const contestsDoc = {
  type: String,
  isArray: true,
  example: ['SpringOpen2026'],
  description: 'Contests that a moderator may run; an admin runs all of the space',
};
const tokensDoc = { example: false, description: 'May manage access tokens; only together with readsLogs' };
const passwordDoc = { minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH };

export class AccountDto implements Account {
  @ApiProperty({ format: 'uuid', example: '0b7b0f8e-6f0e-4a58-9a57-3f1f2f6f6d10' })
  accountId: string;

  @ApiProperty({ example: 'default' })
  spaceId: string;

  @ApiProperty(emailDoc)
  email: string;

  @ApiProperty({ example: 'Aoife Byrne' })
  name: string;

  @ApiProperty({ enum: ROLES, example: 'moderator' })
  role: Role;

  @ApiProperty(contestsDoc)
  contests: string[];

  @ApiProperty({ example: false, description: 'May read logs, and manage endpoints' })
  readsLogs: boolean;

  @ApiProperty(tokensDoc)
  managesTokens: boolean;
}

export class ListedAccountDto extends AccountDto implements ListedAccount {
  @ApiProperty({
    enum: FACTOR_KINDS,
    isArray: true,
    example: ['passkey'],
    description: 'What it signs in with besides the password',
  })
  factors: FactorKind[];
}

export class SignedInDto extends AccountDto implements SignedInAccount {
  @ApiProperty({
    example: false,
    description: 'The account has a one-time password, which has to be changed first',
  })
  passwordIsOneTime: boolean;

  @ApiProperty({
    example: false,
    description: 'The account must first get a passkey or an authenticator app',
  })
  needsSecondFactor: boolean;
}

export class DeviceDto implements Device {
  @ApiProperty({ example: '9f3ac2d0b1e4c577' })
  deviceId: string;

  @ApiProperty({ type: String, nullable: true, example: 'Firefox on Windows' })
  device: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '192.0.2.7',
    description: 'Of the sign-in: an IPv4 address, or the first half of an IPv6 address',
  })
  network: string | null;

  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  @ApiProperty({ format: 'date-time', description: 'Exact to five minutes' })
  seenAt: string;

  @ApiProperty({ description: 'Whether this request came from it' })
  isThis: boolean;
}

export class AccountWithPasswordDto {
  @ApiProperty({ type: AccountDto })
  account: AccountDto;

  @ApiProperty({
    example: 'k7wq2-mmx4d-9rtva-hh3ps',
    description: 'A one-time password, shown this once; it ends after 24 hours',
  })
  password: string;
}

export class OneTimePasswordDto {
  @ApiProperty({ example: 'k7wq2-mmx4d-9rtva-hh3ps', description: 'A one-time password, shown this once' })
  password: string;
}

export class CredentialsBody {
  @ApiProperty(emailDoc)
  @IsString()
  email: string;

  @ApiProperty({ example: 'correct horse battery staple' })
  @IsString()
  password: string;

  @ApiPropertyOptional({
    example: '492039',
    description: 'What the authenticator app shows, or a recovery code; each is accepted once',
  })
  @MayBeLeftOut()
  @IsString()
  code?: string;
}

export class ChangePasswordBody {
  @ApiProperty({ example: 'k7wq2-mmx4d-9rtva-hh3ps' })
  @IsString()
  currentPassword: string;

  @ApiProperty({ ...passwordDoc, example: 'correct horse battery staple' })
  @IsString()
  newPassword: string;
}

export class NewAccountBody {
  @ApiProperty(emailDoc)
  @IsString()
  email: string;

  @ApiProperty({ example: 'Aoife Byrne' })
  @IsString()
  name: string;

  @ApiProperty({ enum: ROLES, example: 'moderator' })
  @IsIn(ROLES)
  role: Role;

  @ApiPropertyOptional(contestsDoc)
  @MayBeLeftOut()
  @IsArray()
  @IsString({ each: true })
  contests?: string[];

  @ApiPropertyOptional({ example: false, default: false })
  @MayBeLeftOut()
  @IsBoolean()
  readsLogs?: boolean;

  @ApiPropertyOptional({ ...tokensDoc, default: false })
  @MayBeLeftOut()
  @IsBoolean()
  managesTokens?: boolean;
}

export class EditAccountBody {
  @ApiPropertyOptional(emailDoc)
  @MayBeLeftOut()
  @IsString()
  email?: string;

  @ApiPropertyOptional({ example: 'Aoife Byrne' })
  @MayBeLeftOut()
  @IsString()
  name?: string;

  @ApiPropertyOptional({ enum: ROLES, example: 'moderator' })
  @MayBeLeftOut()
  @IsIn(ROLES)
  role?: Role;

  @ApiPropertyOptional(contestsDoc)
  @MayBeLeftOut()
  @IsArray()
  @IsString({ each: true })
  contests?: string[];

  @ApiPropertyOptional({ example: false })
  @MayBeLeftOut()
  @IsBoolean()
  readsLogs?: boolean;

  @ApiPropertyOptional(tokensDoc)
  @MayBeLeftOut()
  @IsBoolean()
  managesTokens?: boolean;
}
