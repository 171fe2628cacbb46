/** Builds long lists and the values for places in a separate thread, which starts with the server, or at the first request. */
import type { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { RankingList } from '../../domain/rankings.js';
import { RequestThread } from '../../foundation/basics/request-thread.js';
import type { PlacesRequest, ValuesByRegion } from './ranked-values.js';
import type { BuiltList } from './ranking-list.js';

export interface BuilderData {
  readonly readModelUrl: string;
  readonly operationalUrl: string;
}

export type BuilderRequest =
  | { readonly kind: 'build'; readonly list: RankingList; readonly topN: number }
  | ({ readonly kind: 'places' } & PlacesRequest)
  /** The profiles of these persons have changed; null: any profile may have. There is no reply. */
  | { readonly kind: 'invalidate'; readonly personIds: readonly number[] | null };

export type BuilderAnswer =
  | ({ readonly kind: 'list' } & BuiltList)
  | { readonly kind: 'places'; readonly places: ValuesByRegion };

/** Injection token: starts the thread, which opens stores of its own. */
export const LIST_BUILDER_THREAD = Symbol('ListBuilderThread');

@Injectable()
export class ListBuilder implements OnApplicationShutdown {
  readonly #thread: RequestThread<BuilderRequest, BuilderAnswer>;

  constructor(@Inject(LIST_BUILDER_THREAD) start: () => Worker) {
    this.#thread = new RequestThread(start);
  }

  start(): Promise<void> {
    return this.#thread.start();
  }

  /** Throws RejectedError `space-not-found`, `event-not-found`. */
  async build(list: RankingList, topN: number): Promise<BuiltList> {
    const answer = await this.#thread.request({ kind: 'build', list, topN });
    if (answer.kind !== 'list') throw new TypeError(`asked for a list, the thread gave ${answer.kind}`);
    return answer;
  }

  /** Throws RejectedError `space-not-found`, `event-not-found`. */
  async rankedValues(wanted: PlacesRequest): Promise<ValuesByRegion> {
    const answer = await this.#thread.request({ kind: 'places', ...wanted });
    if (answer.kind !== 'places') throw new TypeError(`asked for places, the thread gave ${answer.kind}`);
    return answer.places;
  }

  /** Lists requested from now on show the current profiles of these persons; null: of all persons. */
  invalidate(personIds: readonly number[] | null): void {
    if (this.#thread.isRunning && personIds?.length !== 0)
      this.#thread.notify({ kind: 'invalidate', personIds });
  }

  onApplicationShutdown(): Promise<void> {
    return this.#thread.close();
  }
}
