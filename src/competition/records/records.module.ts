/** Records: who holds them, and who held them before. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { recordQueryHandlers } from './record.queries.handlers.js';

@Module({ imports: [PersonsModule], providers: recordQueryHandlers })
export class RecordsModule {}
