/**
 * Live rounds: reads a watched round again whenever its tag is touched, one read at a time, and passes it to its
 * channel.
 */

import { randomBytes } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { EventsHandler, type IEventHandler, QueryBus } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { type ChangedTags, personsIn, tags } from '../../domain/tags.js';
import { ReadModelsAdvanced } from '../../foundation/projections/read-models.js';
import type { EventReader } from '../../http/message/event-stream.js';
import { GetRound, type RoundView } from '../contests/contest.queries.js';
import { RoundChannel } from './round-channel.js';

interface Watched {
  readonly round: RoundKey;
  readonly channel: RoundChannel;
  /** A read is in progress, and another is needed after it. */
  isReading: boolean;
  readAgain: boolean;
  /** A person's display changed during the read, so its result may be outdated. */
  isOutdated: boolean;
}

/** The part of the query bus that is used here. */
export interface RoundQueries {
  execute(query: GetRound): Promise<RoundView>;
}

/** The delay after a read that failed. */
const RETRY_DELAY_MS = 1_000;

@Injectable()
export class LiveRounds implements BeforeApplicationShutdown {
  readonly #watched = new Map<string, Watched>();
  #viewers = 0;

  constructor(@Inject(QueryBus) private readonly queries: RoundQueries) {}

  get viewers(): number {
    return this.#viewers;
  }

  /** Throws RejectedError `contest-not-found`, `round-not-found`. Returns the function that stops watching. */
  async watch(round: RoundKey, viewer: EventReader, lastStep: string | undefined): Promise<() => void> {
    let watched = await this.#watchedRound(round);
    // The round may have been dropped meanwhile: a viewer who joined it would never get an update.
    while (!this.#isWatched(watched)) watched = await this.#watchedRound(round);
    watched.channel.join(viewer, lastStep);
    this.#viewers += 1;
    return () => this.#leave(watched, viewer);
  }

  /** Called when the viewer can take bytes again. */
  caughtUp(round: RoundKey, viewer: EventReader): void {
    this.#watched.get(keyOf(round))?.channel.caughtUp(viewer);
  }

  /** Reads the watched rounds that these tags name; null: all. */
  changed(changed: ChangedTags | null): void {
    if (this.#watched.size === 0) return;
    const personIds = personsIn(changed);
    for (const watched of this.#watched.values()) {
      watched.channel.dropSteps(personIds);
      watched.isOutdated ||= personIds?.length !== 0;
      const { spaceId, eventId } = watched.round;
      const ownTags = [tags.round(watched.round), tags.event(spaceId, eventId)];
      if (changed === null || ownTags.some((tag) => changed.has(tag))) void this.#read(watched);
    }
  }

  /** Ends the open replies before the server waits for its connections, because they would stay open. */
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
    const watched = { round, channel, isReading: false, readAgain: false, isOutdated: false };
    this.#watched.set(key, watched);
    // The round may have changed before it was watched.
    void this.#read(watched);
    return watched;
  }

  async #read(watched: Watched): Promise<void> {
    if (watched.isReading) {
      watched.readAgain = true;
      return;
    }
    watched.isReading = true;
    do {
      watched.readAgain = false;
      watched.isOutdated = false;
      try {
        watched.channel.show(await this.queries.execute(new GetRound(watched.round)));
        if (watched.isOutdated) watched.channel.dropSteps(null);
      } catch (error) {
        if (error instanceof RejectedError) this.#end(watched);
        else this.#retryLater(watched);
      }
    } while (watched.readAgain);
    watched.isReading = false;
  }

  /** Ends a round whose contest was deleted. Viewers learn it at their next request, and new viewers do not join. */
  #end(watched: Watched): void {
    this.#drop(watched);
    watched.channel.end();
  }

  /** Retries later: the change whose read failed may be the round's last one. */
  #retryLater(watched: Watched): void {
    const read = (): void => {
      if (this.#isWatched(watched)) void this.#read(watched);
    };
    setTimeout(read, RETRY_DELAY_MS).unref();
  }

  #leave(watched: Watched, viewer: EventReader): void {
    watched.channel.leave(viewer);
    this.#viewers -= 1;
    if (watched.channel.viewers === 0) this.#drop(watched);
  }

  #drop(watched: Watched): void {
    if (this.#isWatched(watched)) this.#watched.delete(keyOf(watched.round));
  }

  /** Returns whether the round is still watched under this entry. */
  #isWatched(watched: Watched): boolean {
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
