/** Factors in JSON as classes: for the OpenAPI document and for checking bodies. */
import { ApiProperty } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import type { StoredAccount } from '../../foundation/operational/account-store.js';
import type { NewAuthenticator } from './authenticator-setup.js';
import { factorsOf, MAX_PASSKEY_NAME_LENGTH, shownIdOf } from './factors.js';

/** Of a reply that the browser's own API takes as it is. */
export const browserOptions = {
  type: 'object' as const,
  additionalProperties: true,
  example: { challenge: 'rb54SOkVkWr9Zd2khh2JRFpocEeHTG9_XFSDxdS749M', timeout: 600_000 },
};

export class PasskeyDto {
  @ApiProperty({ example: '9f3ac2d0b1e4c577' })
  passkeyId: string;

  @ApiProperty({ example: 'Phone of Aoife' })
  name: string;

  @ApiProperty({ description: 'Whether its device copies it to others of the same user' })
  isSynced: boolean;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  usedAt: string | null;
}

export class AuthenticatorDto {
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class FactorsDto {
  @ApiProperty({ type: PasskeyDto, isArray: true })
  passkeys: readonly PasskeyDto[];

  @ApiProperty({ type: AuthenticatorDto, nullable: true, description: 'Null: none is set up' })
  authenticator: AuthenticatorDto | null;

  @ApiProperty({ example: 10 })
  recoveryCodesLeft: number;
}

export class NewAuthenticatorDto implements NewAuthenticator {
  @ApiProperty({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', description: 'For an app that cannot scan' })
  secret: string;

  @ApiProperty({
    example: 'otpauth://totp/Podium:aoife%40example.org?issuer=Podium&secret=JBSWY3DPEHPK3PXP',
    description: 'The content of the QR code',
  })
  uri: string;
}

const codesDoc = {
  type: String,
  isArray: true,
  example: ['k7wq2-mmx4d-9rtva', 'p3hsn-2uyfc-w8jde'],
};

export class RecoveryCodesDto {
  @ApiProperty({ ...codesDoc, description: 'No later reply shows them; earlier ones have ended' })
  recoveryCodes: readonly string[];
}

export class AddedFactorDto {
  @ApiProperty({
    ...codesDoc,
    nullable: true,
    description: 'With the first factor: no later reply shows them. Else null, and those from before go on',
  })
  recoveryCodes: readonly string[] | null;
}

export class NewPasskeyBody {
  @ApiProperty({ example: 'Phone of Aoife', maxLength: MAX_PASSKEY_NAME_LENGTH })
  @IsString()
  name: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The RegistrationResponseJSON of the browser',
  })
  @IsObject()
  response: object;
}

export class PasskeyAnswerBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The AuthenticationResponseJSON of the browser',
  })
  @IsObject()
  response: object;
}

export class CodeBody {
  @ApiProperty({ example: '492039' })
  @IsString()
  code: string;
}

export const shownFactors = (account: StoredAccount): FactorsDto => {
  const { passkeys, authenticator, recoveryHashes } = factorsOf(account);
  return {
    passkeys: passkeys.map((passkey) => ({
      passkeyId: shownIdOf(passkey),
      name: passkey.name,
      isSynced: passkey.isSynced,
      createdAt: timeText(passkey.createdAt),
      usedAt: passkey.usedAt === null ? null : timeText(passkey.usedAt),
    })),
    authenticator: authenticator && { createdAt: timeText(authenticator.createdAt) },
    recoveryCodesLeft: recoveryHashes.length,
  };
};

const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();
