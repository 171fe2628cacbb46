/**
 * Invalidates the ready replies, lists, places and persons that a batch of events has changed, before the next read.
 * src/competition/contests/round-views.ts does the same for rounds.
 */
import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import { personsIn } from '../../domain/tags.js';
import { ReadModelsAdvanced } from '../../foundation/projections/read-models.js';
import { ByteCache } from '../../http/replies/ready-reply.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { ListBuilder } from './list-builder.js';
import { Places } from './places.js';
import { GetRankingsHandler } from './ranking.queries.js';

@EventsHandler(ReadModelsAdvanced)
export class InvalidateCopies implements IEventHandler<ReadModelsAdvanced> {
  constructor(
    private readonly directory: PersonDirectory,
    private readonly builder: ListBuilder,
    private readonly lists: GetRankingsHandler,
    private readonly places: Places,
    private readonly replies: ByteCache,
  ) {}

  handle({ position, tags }: ReadModelsAdvanced): void {
    const personIds = personsIn(tags);
    this.directory.invalidate(personIds);
    this.builder.invalidate(personIds);
    this.lists.advance(position, tags);
    this.places.advance(tags);
    this.replies.advance(position, tags);
  }
}
