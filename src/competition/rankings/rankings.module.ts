/** Rankings: lists of results and of persons. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { InvalidateCopies } from './invalidate-copies.js';
import { ListBuilder } from './list-builder.js';
import { GetPersonResultsHandler } from './person-results.handler.js';
import { Places } from './places.js';
import { GetRankingsHandler } from './ranking.queries.js';

@Module({
  imports: [PersonsModule],
  providers: [ListBuilder, Places, GetRankingsHandler, GetPersonResultsHandler, InvalidateCopies],
})
export class RankingsModule {}
