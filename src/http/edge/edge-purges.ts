/**
 * Tells the shared cache in front of Podium what has changed. The node that runs the projections sends the purges, each
 * until the cache has accepted it. What a node had not sent when it ended is covered by the next one, which begins with a purge of
 * everything. So each change is purged at least once.
 *
 * Each purge is sent again a little later. A reply that was made just before the change may reach the cache just after
 * the first purge, and a node that follows may answer with the state before for up to 250 ms.
 */
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CONFIG, type EdgeConfig, type PodiumConfig } from '../../foundation/config.js';
import { Projector } from '../../foundation/projections/projector.js';
import type { ReadModelsAdvanced } from '../../foundation/projections/read-models.js';
import { Metrics } from '../observability/metrics.js';
import { ALL, purgedKeys } from './surrogate-keys.js';

/** Least time between two requests of a node. */
const INTERVAL_MS = 250;
const AGAIN_AFTER_MS = 1_500;
const RETRY_AFTER_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;
/** Fastly takes this many keys in a request. */
const MAX_KEYS = 256;
/** More changed keys than these are purged as everything. */
const MAX_PENDING = 20 * MAX_KEYS;

type Target = NonNullable<EdgeConfig['purge']>;

interface PendingPurge {
  /** Milliseconds by the clock that never jumps; null: it was not sent yet. */
  sentAt: number | null;
}

@Injectable()
export class EdgePurges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('EdgePurges');
  /** By key. A change of the same key puts a new one in its place. */
  private readonly pending = new Map<string, PendingPurge>();
  private isOwn = false;
  private sent = 0;
  private isFailing = false;
  private timer: NodeJS.Timeout | null = null;
  private readonly stopped = new AbortController();

  constructor(
    private readonly projector: Projector,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'edge'>,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const to = this.config.edge?.purge;
    if (!to) return;
    this.metrics.gauge(
      'podium_edge_purges',
      'Purge requests that the shared cache has accepted.',
      () => this.sent,
    );
    this.metrics.gauge(
      'podium_edge_purges_pending',
      'Keys that are still to be purged in the shared cache, or to be purged again.',
      () => this.pending.size,
    );
    this.projector.onAdvanced((event) => this.observe(event, to));
  }

  onApplicationShutdown(): void {
    this.stopped.abort();
    if (this.timer) clearTimeout(this.timer);
  }

  private observe({ tags }: ReadModelsAdvanced, to: Target): void {
    const wasOwn = this.isOwn;
    this.isOwn = this.projector.isProjecting;
    if (!this.isOwn) return;
    const keys = tags === null || !wasOwn ? [ALL] : purgedKeys(tags);
    if (keys.length === 0) return;
    for (const key of keys) this.pending.set(key, { sentAt: null });
    if (this.pending.size > MAX_PENDING) {
      this.pending.clear();
      this.pending.set(ALL, { sentAt: null });
    }
    this.schedule(0, to);
  }

  private schedule(afterMs: number, to: Target): void {
    this.timer ??= setTimeout(() => void this.send(to), afterMs).unref();
  }

  /** Sends what is due. The timer stands meanwhile, so that one request is under way. */
  private async send(to: Target): Promise<void> {
    const now = performance.now();
    const due = [...this.pending].filter(
      ([, { sentAt }]) => sentAt === null || now - sentAt >= AGAIN_AFTER_MS,
    );
    const batch = due.slice(0, MAX_KEYS);
    let afterMs = INTERVAL_MS;
    try {
      if (batch.length > 0)
        await this.request(
          to,
          batch.map(([key]) => key),
        );
      for (const [key, purge] of batch) this.markSent(key, purge, now);
      this.report(null);
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      this.report(messageOf(error));
      afterMs = RETRY_AFTER_MS;
    }
    this.timer = null;
    if (this.pending.size > 0) this.schedule(afterMs, to);
  }

  private markSent(key: string, purge: PendingPurge, now: number): void {
    // Otherwise it has changed again while the request was under way.
    if (this.pending.get(key) !== purge) return;
    if (purge.sentAt === null) purge.sentAt = now;
    else this.pending.delete(key);
  }

  private async request({ url, header }: Target, keys: readonly string[]): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Surrogate-Key': keys.join(' '), ...header },
      redirect: 'error',
      signal: AbortSignal.any([this.stopped.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    this.sent += 1;
  }

  private report(reason: string | null): void {
    if (reason !== null && !this.isFailing) this.logger.warn(`The shared cache takes no purges: ${reason}`);
    if (reason === null && this.isFailing) this.logger.log('The shared cache takes purges again');
    this.isFailing = reason !== null;
  }
}
