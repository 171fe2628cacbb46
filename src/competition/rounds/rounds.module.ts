/** Rounds: opening, closing, the entry of results, and what those who enter by hand look at. */
import { Module } from '@nestjs/common';
import { roundCommandHandlers } from '../aggregates/round/round.handlers.js';
import { PersonsModule } from '../persons/persons.module.js';
import { entrySheetHandlers } from './entry-sheet.handlers.js';

@Module({ imports: [PersonsModule], providers: [...roundCommandHandlers, ...entrySheetHandlers] })
export class RoundsModule {}
