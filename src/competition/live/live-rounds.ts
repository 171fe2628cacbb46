/**
 * Rounds as they happen: looks at a round that somebody watches whenever it has changed, as soon as the look before is
 * done, and tells its channel.
 */

import { randomBytes } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { EventsHandler, type IEventHandler, QueryBus } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { ReadModelsAdvanced } from '../../foundation/projections/read-models.js';
import { GetRound, type RoundView } from '../contests/contest.queries.js';
import { personsIn, tags } from '../tags.js';
import { RoundChannel, type Viewer } from './round-channel.js';

interface Watched {
  readonly round: RoundKey;
  readonly channel: RoundChannel;
  /** A look is under way, and another is wanted after it. */
  looking: boolean;
  again: boolean;
  /** Since the look began somebody is shown otherwise: what it sees may be out of date. */
  isOld: boolean;
}

/** Of the query bus. */
export interface RoundQueries {
  execute(query: GetRound): Promise<RoundView>;
}

/** After a look that failed. */
const LOOK_AGAIN_MS = 1_000;

@Injectable()
export class LiveRounds implements BeforeApplicationShutdown {
  readonly #watched = new Map<string, Watched>();
  #viewers = 0;

  constructor(@Inject(QueryBus) private readonly queries: RoundQueries) {}

  get viewers(): number {
    return this.#viewers;
  }

  /** Throws RejectedError `contest-not-found`, `round-not-found`. Returns how to stop watching. */
  async watch(round: RoundKey, viewer: Viewer, lastStep: string | undefined): Promise<() => void> {
    let watched = await this.#watchedRound(round);
    // Whoever joined one that was forgotten meanwhile would never be told anything.
    while (!this.#isKnown(watched)) watched = await this.#watchedRound(round);
    watched.channel.join(viewer, lastStep);
    this.#viewers += 1;
    return () => this.#leave(watched, viewer);
  }

  /** The viewer has room again. */
  caughtUp(round: RoundKey, viewer: Viewer): void {
    this.#watched.get(keyOf(round))?.channel.caughtUp(viewer);
  }

  /** What these tags name has changed; null: anything may have. */
  changed(changed: ReadonlySet<string> | null): void {
    if (this.#watched.size === 0) return;
    const personIds = personsIn(changed);
    for (const watched of this.#watched.values()) {
      watched.channel.forget(personIds);
      watched.isOld ||= personIds?.length !== 0;
      if (changed === null || changed.has(tags.round(watched.round))) void this.#look(watched);
    }
  }

  /** Before the server waits for its connections to end: these would not by themselves. */
  beforeApplicationShutdown(): void {
    for (const { channel } of this.#watched.values()) channel.end();
  }

  async #watchedRound(round: RoundKey): Promise<Watched> {
    const key = keyOf(round);
    const known = this.#watched.get(key);
    if (known) return known;
    const shown = await this.queries.execute(new GetRound(round));
    const raced = this.#watched.get(key);
    if (raced) return raced;
    const channel = new RoundChannel(randomBytes(6).toString('hex'));
    channel.show(shown);
    const watched = { round, channel, looking: false, again: false, isOld: false };
    this.#watched.set(key, watched);
    // It may have changed while nobody listened for it.
    void this.#look(watched);
    return watched;
  }

  async #look(watched: Watched): Promise<void> {
    if (watched.looking) {
      watched.again = true;
      return;
    }
    watched.looking = true;
    do {
      watched.again = false;
      watched.isOld = false;
      try {
        watched.channel.show(await this.queries.execute(new GetRound(watched.round)));
        if (watched.isOld) watched.channel.forget(null);
      } catch (error) {
        if (error instanceof RejectedError) this.#end(watched);
        else this.#lookLater(watched);
      }
    } while (watched.again);
    watched.looking = false;
  }

  /** Gone with its contest: viewers learn it when they ask again, and nobody joins those who have not gone yet. */
  #end(watched: Watched): void {
    this.#forget(watched);
    watched.channel.end();
  }

  /** The change that could not be looked at may have been the last one of the round. */
  #lookLater(watched: Watched): void {
    const look = (): void => {
      if (this.#isKnown(watched)) void this.#look(watched);
    };
    setTimeout(look, LOOK_AGAIN_MS).unref();
  }

  #leave(watched: Watched, viewer: Viewer): void {
    watched.channel.leave(viewer);
    this.#viewers -= 1;
    if (watched.channel.viewers === 0) this.#forget(watched);
  }

  #forget(watched: Watched): void {
    if (this.#isKnown(watched)) this.#watched.delete(keyOf(watched.round));
  }

  /** Whether it was not forgotten, and perhaps watched anew, meanwhile. */
  #isKnown(watched: Watched): boolean {
    return this.#watched.get(keyOf(watched.round)) === watched;
  }
}

const keyOf = ({ spaceId, competitionId, eventId, roundNumber }: RoundKey): string =>
  `${spaceId}/${competitionId}/${eventId}/${roundNumber}`;

@EventsHandler(ReadModelsAdvanced)
export class NotifyViewers implements IEventHandler<ReadModelsAdvanced> {
  constructor(private readonly rounds: LiveRounds) {}

  handle({ tags: changed }: ReadModelsAdvanced): void {
    this.rounds.changed(changed);
  }
}
