/** Reads who has entered each attempt of a round. It keeps the rounds read last, and reads only what came since. */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RoundKey } from '../../domain/references.js';
import { StreamNames } from '../../domain/streams.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { roundStream } from '../aggregates/round/round.js';
import { authorsAfter, type EntryAuthors, NO_AUTHORS } from '../results/entry-authors.js';

interface KnownAuthors {
  readonly authors: EntryAuthors;
  /** Of the last event that is folded. */
  readonly revision: number;
  readonly eventId: string;
}

const MAX_ROUNDS = 100;

@Injectable()
export class EntryAuthorsReader {
  readonly #known = new LRUCache<string, KnownAuthors>({ max: MAX_ROUNDS });

  constructor(
    @Inject(EVENT_STORE) private readonly events: Pick<EventStore, 'readStream'>,
    private readonly names: StreamNames,
  ) {}

  async read(round: RoundKey): Promise<EntryAuthors> {
    const stream = this.names.of(roundStream, round);
    const known = this.#known.get(stream);
    const read = (await this.events.readStream(stream, { from: known?.revision ?? 0 })) ?? [];
    // After a restore from a copy, other events may have these revisions.
    if (known !== undefined && read[0]?.id !== known.eventId) {
      this.#known.delete(stream);
      return this.read(round);
    }
    const added = known === undefined ? read : read.slice(1);
    const authors = added.reduce(authorsAfter, known?.authors ?? NO_AUTHORS);
    const last = read.at(-1);
    if (last !== undefined) this.#known.set(stream, { authors, revision: last.revision, eventId: last.id });
    return authors;
  }
}
