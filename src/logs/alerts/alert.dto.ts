/** Alerts as JSON, for the OpenAPI document. Bodies are read by alert-body.ts. */
import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { OwnerDto, revisionText } from '../owner.dto.js';
import { DELIVERY_STATES, type Delivery, RUN_STATES, type RunState } from './alert.js';
import { MAX_RECEIVERS, MAX_WINDOW_MINUTES, RECEIVER_KINDS, type ReceiverFields } from './alert-body.js';
import type { AlertRunView, AlertTest, AlertView, DeliveryView, ReceiverView } from './alert-view.js';
import { COMPARISONS, type Condition } from './condition.js';
import { ALERT_CHANGES, type AlertChange } from './incident.js';
import { SCHEDULES } from './schedule.js';

class ConditionDto implements Condition {
  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    example: 'errors',
    description: 'Fires when its value in any row compares so; null: compares the number of rows',
  })
  column: string | null;

  @ApiProperty({ enum: COMPARISONS })
  is: Condition['is'];

  @ApiProperty({ type: Number, example: 10 })
  value: number;
}

export class ReceiverBody implements ReceiverFields {
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Allowed, so that a receiver can be sent back; ignored',
  })
  id?: string;

  @ApiProperty({
    enum: RECEIVER_KINDS,
    description:
      'webhook: signed as Standard Webhooks has it; slack: its JSON; email: a message to one address',
  })
  kind: ReceiverFields['kind'];

  @ApiProperty({
    type: String,
    format: 'uri',
    example: 'https://example.com/alerts',
    description: 'Of an email: mailto: and one address',
  })
  url: string;
}

class ReceiverDto implements ReceiverView {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: RECEIVER_KINDS })
  kind: ReceiverFields['kind'];

  @ApiProperty({ type: String, format: 'uri', example: 'https://example.com/alerts' })
  url: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Signs the messages of a webhook. Only in the reply to the request that adds it; else null',
  })
  secret: string | null;
}

class DeliveryDto implements DeliveryView {
  @ApiProperty({ format: 'uuid' })
  receiverId: string;

  @ApiProperty({ enum: DELIVERY_STATES })
  state: Delivery['state'];

  @ApiProperty({ type: 'integer' })
  attempts: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'it answered 500',
    description: 'Of the last attempt',
  })
  problem: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextAttemptAt: string | null;
}

export class AlertRunDto implements AlertRunView {
  @ApiProperty({ format: 'date-time' })
  dueAt: string;

  @ApiProperty({ format: 'date-time', description: 'The first time of its window' })
  from: string;

  @ApiProperty({ format: 'date-time', description: 'The end of its window, which is not in it' })
  until: string;

  @ApiProperty({
    enum: RUN_STATES,
    description: 'missed: no server evaluated it, or not to its end; failed: its query has failed',
  })
  state: RunState;

  @ApiProperty({ enum: ALERT_CHANGES, type: String, nullable: true })
  change: AlertChange | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'That its query returned' })
  rows: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed or was missed' })
  problem: string | null;

  @ApiProperty({ type: [DeliveryDto], description: 'What the receivers are told; empty: nothing' })
  deliveries: readonly DeliveryDto[];
}

export class AlertDto implements AlertView {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ description: revisionText('alert') })
  revision: string;

  @ApiProperty({ type: String, maxLength: 100, example: 'Errors of todo-app' })
  name: string;

  @ApiProperty({
    type: String,
    example: 'logs.all',
    description:
      'Name or id. Its query must bound its entries by @iso_timestamp_start and @iso_timestamp_end, as logs.all does',
  })
  endpoint: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { project: 'todo-app', lql: 'm.level:error' },
    description: 'Of the call, with sql or lql',
  })
  parameters: Readonly<Record<string, string>>;

  @ApiProperty({ enum: SCHEDULES, description: 'Runs are due at its multiples since 1970, UTC' })
  everyMinutes: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_WINDOW_MINUTES,
    description: 'A run looks at so many minutes, up to one minute before it',
  })
  windowMinutes: number;

  @ApiProperty({ type: ConditionDto, nullable: true, description: 'Null: it fires on any row' })
  condition: ConditionDto | null;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_WINDOW_MINUTES,
    nullable: true,
    description: 'When the receivers are told again of an alert that stays open; null: never',
  })
  repeatMinutes: number | null;

  @ApiProperty({ type: Boolean, description: 'Whether addresses are redacted even if the endpoint does not' })
  redactPii: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether it runs' })
  enabled: boolean;

  @ApiProperty({ type: [ReceiverDto], maxItems: MAX_RECEIVERS })
  receivers: readonly ReceiverDto[];

  @ApiProperty({ type: OwnerDto, description: 'Who saved it last: its query runs with these rights' })
  owner: OwnerDto;

  @ApiProperty({ enum: ['open', 'closed'] })
  state: AlertView['state'];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  openSince: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  silencedUntil: string | null;

  @ApiProperty({ type: AlertRunDto, nullable: true })
  lastRun: AlertRunDto | null;
}

const LISTED_ONLY = ['id', 'owner', 'state', 'openSince', 'silencedUntil', 'lastRun', 'receivers'] as const;

/** A change. Fields that are left out keep their values. */
export class AlertBody extends PartialType(OmitType(AlertDto, LISTED_ONLY)) {
  @ApiPropertyOptional({
    type: [ReceiverBody],
    maxItems: MAX_RECEIVERS,
    description: 'All of them; one with the same URL as before keeps its secret',
  })
  receivers?: readonly ReceiverBody[];
}

/** `name` and `endpoint` are required, unlike in a change. */
export class NewAlertBody extends AlertBody {
  @ApiProperty({ type: String, maxLength: 100, example: 'Errors of todo-app', required: true })
  declare name: string;

  @ApiProperty({ type: String, example: 'logs.all', required: true })
  declare endpoint: string;
}

export class SilenceBody {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-03-17T10:00:00Z',
    description: 'Until then no receiver is told of an opening or a repetition; null: the silence ends now',
  })
  until: string | null;
}

class TestedReceiverDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null: it has taken the message' })
  problem: string | null;
}

export class AlertTestDto implements AlertTest {
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether it would fire now; null: that cannot be told',
  })
  fires: boolean | null;

  @ApiProperty({ type: 'integer', nullable: true })
  rows: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it cannot be told' })
  problem: string | null;

  @ApiProperty({ type: [TestedReceiverDto] })
  receivers: readonly TestedReceiverDto[];
}
