/**
 * Whether this node can do its work: reads need the read models, commands need the event store. A load balancer asks
 * for what it wants to send here.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, HttpStatus, Inject, Injectable, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { EVENT_STORE, type EventStore } from '../eventstore/event-store.js';
import { Projector } from '../projections/projector.js';
import { HEALTH_TIMEOUT } from './limits.js';
import { VERSION } from './version.js';

/** Events behind which reads still count as fresh enough to be `ok`. */
const LAG_OF_CONCERN = 10_000;

export class StoreHealthDto {
  @ApiProperty({ enum: ['up', 'down'] })
  status: 'up' | 'down';
}

export class ReadModelsHealthDto extends StoreHealthDto {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 0,
    description: 'How far behind the event store; null: not known',
  })
  lag: number | null;
}

export class HealthDto {
  @ApiProperty({ enum: ['ok', 'degraded', 'down'] })
  status: 'ok' | 'degraded' | 'down';

  @ApiProperty({ example: '1.0.0' })
  version: string;

  @ApiProperty({ type: StoreHealthDto })
  eventStore: StoreHealthDto;

  @ApiProperty({ type: ReadModelsHealthDto })
  readModels: ReadModelsHealthDto;

  @ApiProperty({ type: StoreHealthDto, nullable: true, description: 'Null where this server keeps no logs' })
  logStore: StoreHealthDto | null;

  @ApiProperty({ description: 'This process, for telling nodes apart', example: 'stage-1-9f3ac2' })
  node: string;

  @ApiProperty({ description: 'Whether this process runs the projections' })
  projector: boolean;
}

@Injectable()
export class Health {
  private readonly node = `${hostname()}-${randomBytes(3).toString('hex')}`;

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly projector: Projector,
  ) {}

  async check(): Promise<HealthDto> {
    const [head, readable, projections] = await Promise.all([
      inTime(this.events.head()),
      inTime(this.projector.isBuilt()),
      inTime(this.projector.status()),
    ]);
    const lag = projections?.lag ?? null;
    const current = projections?.ready === true && projections.trouble === null;
    const well = head !== null && lag !== null && lag < LAG_OF_CONCERN && current;
    return {
      status: readable !== true ? 'down' : well ? 'ok' : 'degraded',
      version: VERSION,
      eventStore: { status: head === null ? 'down' : 'up' },
      readModels: { status: readable === null ? 'down' : 'up', lag },
      logStore: null,
      node: this.node,
      projector: projections?.projecting ?? false,
    };
  }
}

/** Null when it fails or takes too long. */
const inTime = async <T>(answer: Promise<T>): Promise<T | null> => {
  const abort = new AbortController();
  const tooLate = delay(HEALTH_TIMEOUT, null, { signal: abort.signal }).catch(() => null);
  try {
    return await Promise.race([answer, tooLate]);
  } catch {
    return null;
  } finally {
    abort.abort();
  }
};

@ApiTags('operation')
@Controller('api/healthcheck')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get()
  @ApiOperation({
    summary: 'Whether this node can answer reads, and with for=commands whether it can take commands',
  })
  @ApiQuery({ name: 'for', required: false, enum: ['commands'] })
  @ApiResponse({ status: 200, type: HealthDto, description: 'Reads (or commands) are answered' })
  @ApiResponse({ status: 503, type: HealthDto, description: 'They are not' })
  async get(
    @Query('for') purpose: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HealthDto> {
    const health = await this.health.check();
    const able = health.status !== 'down' && (purpose !== 'commands' || health.eventStore.status === 'up');
    reply.code(able ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE).header('Cache-Control', 'no-store');
    return health;
  }
}
