/** The JSON of API keys as classes: for the OpenAPI document, and to validate request bodies. */
import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import type { ApiKeyView } from './key.queries.js';

const KEY_STATES = ['active', 'revoked', 'ended'] as const satisfies ApiKeyView['state'][];
const END_REASONS = ['revoked', 'finished', 'deleted'] as const satisfies ApiKeyView['reason'][];

const instantDoc = { type: String, format: 'date-time', example: '2026-04-11T09:30:00.000Z' };

export class ApiKeyDto implements ApiKeyView {
  @ApiProperty({ example: '4f9k2mq7x01b' }) keyId: string;
  @ApiProperty({ example: 'SpringOpen2026' }) competitionId: string;
  @ApiProperty({ example: 'Timer 1' }) device: string;
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

  @ApiProperty({ type: 'integer', example: 125, description: 'Requests that were answered with 201' })
  accepted: number;

  @ApiProperty({ type: 'integer', example: 2, description: 'Requests refused by the rules of the round' })
  refused: number;
}

export class NewKeyBody {
  @ApiProperty({ example: 'Timer 1', description: 'Your name for the device' })
  @IsString()
  device: string;
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
}
