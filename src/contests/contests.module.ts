/** Contests: their life, their list and their page. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { contestQueryHandlers } from './contest.queries.handlers.js';

@Module({ imports: [PersonsModule], providers: [...contestQueryHandlers] })
export class ContestsModule {}
