/** Access tokens as JSON. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsOptional, IsString } from 'class-validator';
import type { TokenRequest } from './token.commands.js';
import type { TokenMaker, TokenView } from './token.queries.js';
import { SCOPES_ALLOWED, type TokenScope } from './token-scope.js';

const nameDoc = { type: String, example: 'Dashboard', maxLength: 100 };
const scopesDoc = { type: String, isArray: true, example: ['query'], description: `Of ${SCOPES_ALLOWED}` };
const projectDoc = {
  type: String,
  nullable: true,
  example: 'todo-app',
  description: 'The only project that the token reads and writes; null: all projects',
};

export class TokenBody implements Omit<TokenRequest, 'project' | 'node'> {
  @ApiProperty(nameDoc)
  @IsString({ message: 'name must be text' })
  name: string;

  @ApiProperty(scopesDoc)
  @IsArray({ message: 'scopes must be an array' })
  @IsString({ each: true, message: 'each of scopes must be text' })
  scopes: string[];

  @ApiPropertyOptional(projectDoc)
  @IsOptional()
  @IsString({ message: 'project must be text or null' })
  project?: string | null;
}

export class TokenMakerDto implements TokenMaker {
  @ApiProperty({ format: 'uuid', example: '0b7b0f8e-6f0e-4a58-9a57-3f1f2f6f6d10' })
  accountId: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Aoife Byrne',
    description: 'Null: the account was removed',
  })
  name: string | null;
}

export class TokenDto implements TokenView {
  @ApiProperty({ example: 'Jh2kQ0' })
  tokenId: string;

  @ApiProperty(nameDoc)
  name: string;

  @ApiProperty({ ...scopesDoc, description: 'What it may do; endpoints are named by id' })
  scopes: readonly TokenScope[];

  @ApiProperty(projectDoc)
  project: string | null;

  @ApiProperty({ enum: ['active', 'revoked'], example: 'active' })
  state: 'active' | 'revoked';

  @ApiProperty({
    type: () => TokenMakerDto,
    nullable: true,
    description: 'The account that made it; null: the command line or a node did',
  })
  madeBy: TokenMakerDto | null;

  @ApiProperty({
    type: () => TokenMakerDto,
    nullable: true,
    description: 'The account that it was handed over to, with which it ends; null: it was not',
  })
  handedTo: TokenMakerDto | null;

  @ApiProperty({ format: 'date-time' })
  issuedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastUsedAt: string | null;
}

export class IssuedTokenDto {
  @ApiProperty({ example: 'Jh2kQ0' })
  tokenId: string;

  @ApiProperty({ example: 'podium_token_…', description: 'No later reply shows it' })
  token: string;

  @ApiProperty(scopesDoc)
  scopes: readonly TokenScope[];
}
