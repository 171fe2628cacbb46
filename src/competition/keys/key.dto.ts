/** The JSON of API keys as classes: for the OpenAPI document, and to validate request bodies. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { KEY_PURPOSES, type KeyPurpose } from '../../domain/key-purposes.js';
import type { ApiKeyView } from './key.queries.js';

const KEY_STATES = ['active', 'revoked', 'ended'] as const satisfies ApiKeyView['state'][];
const END_REASONS = ['revoked', 'finished', 'deleted'] as const satisfies ApiKeyView['reason'][];

const instantDoc = { type: String, format: 'date-time', example: '2026-04-11T09:30:00.000Z' };

const purposeDoc = {
  enum: KEY_PURPOSES,
  example: 'entry',
  description:
    'entry: enters results; competitors: replaces the competitor list (PUT). Neither does the other',
} as const;

export class ApiKeyDto implements ApiKeyView {
  @ApiProperty({ example: '4f9k2mq7x01b' }) keyId: string;
  @ApiProperty({ example: 'SpringOpen2026' }) competitionId: string;
  @ApiProperty({ example: 'Timer 1' }) device: string;
  @ApiProperty(purposeDoc) purpose: KeyPurpose;
  @ApiProperty({ enum: KEY_STATES, example: 'active' }) state: ApiKeyView['state'];

  @ApiProperty({
    type: String,
    enum: END_REASONS,
    nullable: true,
    example: null,
    description: 'Why it is not active: it was revoked, or its contest was finished or deleted',
  })
  reason: ApiKeyView['reason'];

  @ApiProperty(instantDoc) issuedAt: string;
  @ApiProperty({ ...instantDoc, nullable: true, example: null }) endedAt: string | null;
  @ApiProperty({ ...instantDoc, nullable: true }) lastUsedAt: string | null;

  @ApiProperty({ type: 'integer', example: 125, description: 'Requests that were accepted' })
  accepted: number;

  @ApiProperty({ type: 'integer', example: 2, description: 'Requests that the rules refused' })
  refused: number;
}

export class NewKeyBody {
  @ApiProperty({ example: 'Timer 1', description: 'Your name for the device or program' })
  @IsString()
  device: string;

  @ApiPropertyOptional({ ...purposeDoc, default: 'entry' })
  @IsOptional()
  @IsIn(KEY_PURPOSES)
  purpose?: KeyPurpose;
}

export class IssuedKeyDto {
  @ApiProperty({ example: '4f9k2mq7x01b' }) keyId: string;

  @ApiProperty({
    example: 'podium_4f9k2mq7x01b_Xy0…',
    description: 'The key, which no later reply shows: Podium keeps only a hash',
  })
  key: string;

  @ApiProperty({ example: 'SpringOpen2026' }) competitionId: string;
  @ApiProperty({ example: 'Timer 1' }) device: string;
  @ApiProperty(purposeDoc) purpose: KeyPurpose;
}
