/** Rankings: lists of results and of persons. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';

@Module({ imports: [PersonsModule] })
export class RankingsModule {}
