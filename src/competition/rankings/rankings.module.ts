/** Rankings: lists of results and of persons. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { InvalidateCopies } from './invalidate-copies.js';
import { ListBuilder } from './list-builder.js';
import { ListCache } from './list-cache.js';
import { Places } from './places.js';
import { rankingQueryHandlers } from './ranking.queries.handlers.js';

@Module({
  imports: [PersonsModule],
  providers: [ListBuilder, ListCache, Places, InvalidateCopies, ...rankingQueryHandlers],
})
export class RankingsModule {}
