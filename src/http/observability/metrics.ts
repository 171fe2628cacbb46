/** GET /metrics in the Prometheus text format: requests by route, commands, the projections' lag, caches, the event loop. */
import { Controller, Get, Inject, Injectable, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Aggregates } from '../../foundation/aggregates/aggregates.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { DamageLog } from '../../foundation/integrity/damage-log.js';
import { Scrubber, type ScrubReport } from '../../foundation/integrity/scrubber.js';
import { Projector } from '../../foundation/projections/projector.js';
import { CORS_HEADERS } from '../message/headers.js';
import { FailureError } from '../problems/failure.js';
import { ByteCache } from '../replies/ready-reply.js';
import { metricsRefusal } from './metrics-access.js';
import { RequestMetrics } from './request-metrics.js';

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly projector: Projector,
    private readonly cache: ByteCache,
    private readonly requests: RequestMetrics,
    private readonly aggregates: Aggregates,
    private readonly scrubber: Scrubber,
    damageLog: DamageLog,
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge(
      'podium_read_models_position',
      'Position up to which the read models are built.',
      () => this.projector.position,
    );
    this.gauge(
      'podium_read_models_lag',
      'Positions by which the read models are behind the event store.',
      () => this.lag(),
    );
    this.gauge('podium_projecting', 'Whether this process runs the projections.', () =>
      Number(this.projector.isProjecting),
    );
    this.gauge(
      'podium_read_models_trouble',
      'Whether a failure stops the read models of this process; its log has the reason.',
      () => Number(this.projector.failure !== null),
    );
    this.gauge(
      'podium_foreign_events',
      'Events of other programs under the prefix that this process has passed over since its start.',
      () => this.projector.foreignEvents,
    );
    this.gauge('podium_byte_cache_bytes', 'Bytes of ready replies.', () => this.cache.bytes);
    this.gauge('podium_byte_cache_entries', 'Number of ready replies.', () => this.cache.entries);
    this.gauge(
      'podium_damages',
      'Places with damaged content that this process has met; its log has each.',
      () => damageLog.all.length,
    );
    this.scrubGauge('checked', 'Events or rows that the scrub has read since the start.', 'checked');
    this.scrubGauge('unverified', 'Of the last scrub: those from before checksums.', 'unverified');
    this.scrubGauge('progress', 'How far the scrub under way has come, from 0 to 1.', 'progress');
    this.scrubGauge('damages', 'Damage that the scrub has met since the start.', 'damages');
    this.scrubGauge(
      'finished_milliseconds',
      'When the last scrub came to its end, since 1970; 0: none has.',
      'finishedAt',
    );
  }

  async text(): Promise<string> {
    const own = [this.requests.text(), this.aggregates.metrics.text()];
    return `${await this.registry.metrics()}${own.join('\n')}\n`;
  }

  /** Adds a gauge that is read at each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  /** One value for each store that this process may scrub. */
  private scrubGauge(name: string, help: string, value: Exclude<keyof ScrubReport, 'store'>): void {
    const { scrubber } = this;
    new Gauge({
      name: `podium_scrub_${name}`,
      help,
      labelNames: ['store'],
      registers: [this.registry],
      collect() {
        for (const report of scrubber.reports) this.set({ store: report.store }, report[value]);
      },
    });
  }

  /** Returns NaN when the event store does not answer: a failing scrape would lose all other metrics. */
  private lag(): Promise<number> {
    return this.events.head().then(
      (head) => Math.max(0, head - this.projector.position),
      () => Number.NaN,
    );
  }
}

@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'metricsPort' | 'metricsToken'>,
  ) {}

  @Get()
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { metricsPort, metricsToken } = this.config;
    if (metricsPort !== null) throw new NotFoundException();
    const refusal = metricsRefusal(request.raw, metricsToken);
    if (refusal) throw new FailureError(refusal);
    const text = await this.metrics.text();
    // A page of another site must not read them through the browser of a user in the private network.
    for (const [name] of CORS_HEADERS) reply.removeHeader(name);
    reply.header('Content-Type', METRICS_CONTENT_TYPE).header('Cache-Control', 'no-store').send(text);
  }
}
