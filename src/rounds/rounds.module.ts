/** Rounds: opening, closing, and the entry of results. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { roundCommandHandlers } from './round.handlers.js';

@Module({ imports: [PersonsModule], providers: [...roundCommandHandlers] })
export class RoundsModule {}
