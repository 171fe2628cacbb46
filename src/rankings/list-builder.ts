/** Builds long lists in a thread of its own, which is started when the first is asked for. */
import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../config.js';
import type { RankingList } from '../projections/tags.js';
import { RequestThread } from '../request-thread.js';
import { threadUrl } from '../threads.js';
import type { BuilderData, BuilderRequest } from './list-builder.messages.js';
import type { BuiltList } from './ranking-lists.js';

@Injectable()
export class ListBuilder implements OnApplicationShutdown {
  readonly #thread: RequestThread<BuilderRequest, BuiltList>;

  constructor(@Inject(CONFIG) config: Pick<PodiumConfig, 'readModelUrl' | 'operationalUrl'>) {
    const { readModelUrl, operationalUrl } = config;
    const workerData: BuilderData = { readModelUrl, operationalUrl };
    this.#thread = new RequestThread(
      () => new Worker(threadUrl('list-builder.worker.js', import.meta.url), { workerData }),
    );
  }

  /** Throws RejectedError `space-not-found`, `event-not-found`. */
  build(list: RankingList, topN: number): Promise<BuiltList> {
    return this.#thread.ask({ kind: 'build', list, topN });
  }

  /** Lists that are asked for from here on show these persons as they are now; null: everybody. */
  retire(personIds: readonly number[] | null): void {
    if (this.#thread.isRunning && personIds?.length !== 0) this.#thread.tell({ kind: 'retire', personIds });
  }

  onApplicationShutdown(): Promise<void> {
    return this.#thread.close();
  }
}
