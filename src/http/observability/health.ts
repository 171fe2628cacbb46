/**
 * The health of this node: reads need the read models, commands need the event store. A load balancer asks for
 * the purpose it has.
 */
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, HttpStatus, Inject, Injectable, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { lagOfConcern } from '../../foundation/event-store/lag.js';
import { DAMAGED_STORES, type DamagedStore, describeDamage } from '../../foundation/integrity/damage.js';
import { DamageLog } from '../../foundation/integrity/damage-log.js';
import { owningNode } from '../../foundation/log-store/log-owner.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { LossGuard } from '../../foundation/losses/loss-guard.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { Projector } from '../../foundation/projections/projector.js';
import { NODE_ID } from '../../foundation/projections/runner/nodes.js';
import { FieldReader, type Fields } from '../body/fields.js';
import { HEALTH_TIMEOUT_MS } from '../message/limits.js';
import { VERSION } from '../message/version.js';
import { Problems } from '../openapi/openapi-decorators.js';

/** What a balancer may want to send to this node. */
const PURPOSES = ['reads', 'commands', 'traffic'] as const;
type Purpose = (typeof PURPOSES)[number];

export class StoreHealthDto {
  @ApiProperty({ enum: ['up', 'down'] })
  status: 'up' | 'down';
}

export class EventStoreHealthDto {
  @ApiProperty({
    enum: ['up', 'read-only', 'down'],
    description: 'read-only: reads work and appends fail, for example on a full disk',
  })
  status: 'up' | 'read-only' | 'down';

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Which events are missing, so that no command is taken; null: none, as far as is known',
  })
  loss: string | null;
}

export class ReadModelsHealthDto extends StoreHealthDto {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 0,
    description: 'How many positions the read models are behind the event store; null: not known',
  })
  lag: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why the read models of this node stand still, such as an event that its version of Podium does not know; null: they do not',
  })
  failure: string | null;
}

export class DamageDto {
  @ApiProperty({ enum: DAMAGED_STORES })
  store: DamagedStore;

  @ApiProperty({ example: 'stream podium/round/default/SpringOpen2026/333/1, revision 3' })
  place: string;

  @ApiProperty({ example: 'its checksum does not fit its content' })
  reason: string;
}

export class HealthDto {
  @ApiProperty({ enum: ['ok', 'degraded', 'down'] })
  status: 'ok' | 'degraded' | 'down';

  @ApiProperty({
    description:
      'Whether every projection is live in the version that this node runs, the node knows all events, keeps up with the ' +
      'others and is not about to stop. When false, send traffic to another node',
  })
  ready: boolean;

  @ApiProperty({ example: '1.0.0' })
  version: string;

  @ApiProperty({ type: EventStoreHealthDto })
  eventStore: EventStoreHealthDto;

  @ApiProperty({
    type: StoreHealthDto,
    description: 'Persons, accounts and sessions; down: it takes no writes',
  })
  operationalStore: StoreHealthDto;

  @ApiProperty({ type: ReadModelsHealthDto })
  readModels: ReadModelsHealthDto;

  @ApiProperty({ type: StoreHealthDto, nullable: true, description: 'Null: another node keeps the logs' })
  logStore: StoreHealthDto | null;

  @ApiProperty({
    type: DamageDto,
    nullable: true,
    description: 'The first damaged content that this node has met; null: none. `podium verify` names all',
  })
  damage: DamageDto | null;

  @ApiProperty({ description: 'Id of this process, to tell nodes apart', example: 'stage-1-9f3ac2' })
  node: string;

  @ApiProperty({ description: 'Whether this process runs the projections' })
  projector: boolean;
}

@Injectable()
export class Health {
  private readonly startedAt = Date.now();
  private isLeaving = false;

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly projector: Projector,
    private readonly guard: LossGuard,
    private readonly damageLog: DamageLog,
    @Inject(LOG_STORE) private readonly logStore: LogStore,
    @Inject(OPERATIONAL_STORE) private readonly operational: Pick<OperationalStore, 'takesWrites'>,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'host' | 'logStoreUrl' | 'eventStoreUrl'>,
    @Inject(NODE_ID) private readonly node: string,
  ) {}

  /** Takes the lease of this node, before it listens. */
  hold(): Promise<void> {
    return this.projector.hold(this.node);
  }

  /** Registers this node for the other nodes and for `podium doctor`. `url`: the address it answers at. */
  announce(url: string): void {
    const address = addressAmongNodes(this.config.host, url);
    const { node: id, startedAt, damageLog } = this;
    const { pid } = process;
    const node = { id, host: hostname(), pid, startedAt, version: VERSION, address, checksums: true };
    const announce = (): void => {
      const { first } = damageLog;
      this.projector.announce(first === null ? node : { ...node, damage: describeDamage(first) });
    };
    announce();
    damageLog.onDamage(announce);
  }

  /** From now on the health check tells balancers to send nothing: the node is about to stop. */
  leave(): void {
    this.isLeaving = true;
  }

  async check(): Promise<HealthDto> {
    const [eventStore, operational, readable, projections, logs] = await Promise.all([
      this.#eventStore(),
      orNullAfterTimeout(this.operational.takesWrites()),
      orNullAfterTimeout(this.projector.isBuilt()),
      orNullAfterTimeout(this.projector.status()),
      this.#logs(),
    ]);
    const lag = projections?.lag ?? null;
    const ready = projections?.ready ?? false;
    const current = ready && projections?.failure === null;
    const damage = this.damageLog.first;
    const isHealthy =
      damage === null &&
      eventStore === 'up' &&
      operational === true &&
      lag !== null &&
      lag < lagOfConcern(this.config.eventStoreUrl) &&
      current;
    return {
      status: readable !== true ? 'down' : isHealthy ? 'ok' : 'degraded',
      ready:
        readable === true &&
        ready &&
        projections?.stalled === false &&
        !projections.isBeforeUnknownEvent &&
        !this.isLeaving,
      version: VERSION,
      eventStore: { status: eventStore, loss: this.guard.reason },
      operationalStore: { status: operational === true ? 'up' : 'down' },
      readModels: {
        status: readable === null ? 'down' : 'up',
        lag,
        failure: projections?.failure ?? null,
      },
      logStore: logs === null ? null : { status: logs },
      damage,
      node: this.node,
      projector: projections?.projecting ?? false,
    };
  }

  /** Names the stores that do not answer now, for a problem document. Null: all answer. */
  async trouble(): Promise<string | null> {
    const [eventStore, operational, readable] = await Promise.all([
      this.#eventStore(),
      orNullAfterTimeout(this.operational.takesWrites()),
      orNullAfterTimeout(this.projector.isBuilt()),
    ]);
    const silent = [
      ...(eventStore === 'up' ? [] : ['the event store']),
      ...(operational === true ? [] : ['the operational store']),
      ...(readable === null ? ['the read models'] : []),
    ];
    return silent.length === 0 ? null : silent.join(' and ');
  }

  async #eventStore(): Promise<EventStoreHealthDto['status']> {
    const [head, takesAppends] = await Promise.all([
      orNullAfterTimeout(this.events.head()),
      orNullAfterTimeout(this.events.takesAppends()),
    ]);
    if (head === null) return 'down';
    return takesAppends === true ? 'up' : 'read-only';
  }

  /**
   * Returns null when another node owns the store. Contests work without logs, so this does not affect the
   * status.
   */
  async #logs(): Promise<'up' | 'down' | null> {
    if (owningNode(this.config.logStoreUrl)) return null;
    return (await orNullAfterTimeout(this.logStore.counts())) ? 'up' : 'down';
  }
}

const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);

/**
 * The address at which other nodes reach this one. A server bound to all addresses has a loopback URL, which
 * means another machine elsewhere; so its host name is used.
 */
export const addressAmongNodes = (host: string, url: string): string =>
  ANY_ADDRESS.has(host) ? `http://${hostname()}:${new URL(url).port}` : url;

const isAble = ({ status, ready, eventStore }: HealthDto, purpose: Purpose): boolean => {
  if (status === 'down') return false;
  switch (purpose) {
    case 'reads':
      return true;
    case 'commands':
      return eventStore.status === 'up';
    case 'traffic':
      return ready;
    default:
      purpose satisfies never;
      return false;
  }
};

/** Returns null when the promise fails or takes longer than HEALTH_TIMEOUT_MS. */
const orNullAfterTimeout = async <T>(answer: Promise<T>): Promise<T | null> => {
  const abort = new AbortController();
  const tooLate = delay(HEALTH_TIMEOUT_MS, null, { signal: abort.signal }).catch(() => null);
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
    summary:
      'Whether this node can answer reads, with for=commands whether it can take commands, and with for=traffic ' +
      'whether a balancer should send it traffic: not while its version of the read models is being built or was replaced, ' +
      'while it stands still and other nodes move, nor when it is about to stop',
  })
  @ApiQuery({ name: 'for', required: false, enum: PURPOSES, schema: { default: 'reads' } })
  @ApiResponse({ status: 200, type: HealthDto, description: 'The node can do what for names' })
  @ApiResponse({ status: 503, type: HealthDto, description: 'It cannot' })
  @Problems(400)
  async get(@Query() query: Fields, @Res({ passthrough: true }) reply: FastifyReply): Promise<HealthDto> {
    const fields = new FieldReader(query);
    const purpose = fields.oneOf('for', PURPOSES, 'reads');
    fields.check();
    const health = await this.health.check();
    reply
      .code(isAble(health, purpose) ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
      .header('Cache-Control', 'no-store');
    return health;
  }
}
