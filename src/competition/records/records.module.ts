/** Records: present and former record holders. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { recordQueryHandlers } from './record.queries.js';

@Module({ imports: [PersonsModule], providers: recordQueryHandlers })
export class RecordsModule {}
