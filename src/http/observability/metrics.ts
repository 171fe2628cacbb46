/** GET /metrics in the Prometheus text format: requests by route, the projections' lag, caches, the event loop. */
import { Controller, Get, Inject, Injectable, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { Projector } from '../../foundation/projections/projector.js';
import { ByteCache } from '../../foundation/replies/byte-cache.js';
import { RequestMetrics } from './request-metrics.js';

@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly projector: Projector,
    private readonly cache: ByteCache,
    private readonly requests: RequestMetrics,
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge(
      'podium_read_models_position',
      'How far the read models have come.',
      () => this.projector.position,
    );
    this.gauge('podium_read_models_lag', 'How far they are behind the event store.', () => this.lag());
    this.gauge('podium_projecting', 'Whether this process runs the projections.', () =>
      Number(this.projector.isProjecting),
    );
    this.gauge(
      'podium_read_models_trouble',
      'Whether something keeps this process from bringing them up to date; its log says what.',
      () => Number(this.projector.failure !== null),
    );
    this.gauge('podium_byte_cache_bytes', 'Bytes of ready replies.', () => this.cache.bytes);
    this.gauge('podium_byte_cache_entries', 'Number of ready replies.', () => this.cache.entries);
  }

  async text(): Promise<string> {
    return `${await this.registry.metrics()}${this.requests.text()}\n`;
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

  /** NaN when the event store does not answer: a failing scrape would hide all the rest. */
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
