/** GET /metrics in the Prometheus text format: requests by route, commands, the projections' lag, caches, the event loop. */
import { Controller, Get, Inject, Injectable, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Aggregates } from '../../foundation/aggregates/aggregates.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { Projector } from '../../foundation/projections/projector.js';
import { ByteCache } from '../replies/ready-reply.js';
import { RequestMetrics } from './request-metrics.js';

@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly projector: Projector,
    private readonly cache: ByteCache,
    private readonly requests: RequestMetrics,
    private readonly aggregates: Aggregates,
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
    this.gauge('podium_byte_cache_bytes', 'Bytes of ready replies.', () => this.cache.bytes);
    this.gauge('podium_byte_cache_entries', 'Number of ready replies.', () => this.cache.entries);
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
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async get(@Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.text();
    reply.header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8').send(text);
  }
}
