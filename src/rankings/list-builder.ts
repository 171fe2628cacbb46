/**
 * Builds long lists in a thread of its own, which is started when the first is asked for. A thread that dies fails
 * the lists that it was building; the next one starts another.
 */
import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../config.js';
import { RejectedError } from '../domain/rejections.js';
import type { RankingList } from '../projections/tags.js';
import { threadUrl } from '../threads.js';
import type { BuilderAnswer, BuilderData, BuilderMessage } from './list-builder.messages.js';
import type { BuiltList } from './ranking-lists.js';

interface Waiting {
  readonly resolve: (list: BuiltList) => void;
  readonly reject: (error: Error) => void;
}

@Injectable()
export class ListBuilder implements OnApplicationShutdown {
  #worker: Worker | null = null;
  #asked = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'readModelUrl' | 'operationalUrl'>,
  ) {}

  /** Throws RejectedError `space-not-found`, `event-not-found`. */
  build(list: RankingList, topN: number): Promise<BuiltList> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ kind: 'build', id, list, topN });
    });
  }

  /** Lists that are asked for from here on show these persons as they are now; null: everybody. */
  retire(personIds: readonly number[] | null): void {
    if (this.#worker && personIds?.length !== 0) this.#post({ kind: 'retire', personIds });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#worker?.terminate();
  }

  #post(message: BuilderMessage): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const { readModelUrl, operationalUrl } = this.config;
    const workerData: BuilderData = { readModelUrl, operationalUrl };
    const worker = new Worker(threadUrl('list-builder.worker.js', import.meta.url), { workerData });
    worker.unref();
    worker.on('message', (answer: BuilderAnswer) => this.#answered(answer));
    worker.on('error', (error) => this.#ended(error));
    worker.on('exit', () => this.#ended(new Error('the thread that builds lists has ended')));
    return worker;
  }

  #answered(answer: BuilderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    switch (answer.kind) {
      case 'built':
        waiting?.resolve(answer.built);
        break;
      case 'rejected':
        waiting?.reject(new RejectedError(answer.rejection));
        break;
      case 'failed':
        waiting?.reject(new Error(answer.message));
        break;
      default:
        answer satisfies never;
    }
  }

  #ended(error: Error): void {
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
