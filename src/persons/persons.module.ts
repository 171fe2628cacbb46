/** Persons: registration, regions, merging and erasure, and who is shown under an id. */
import { Module } from '@nestjs/common';
import { personQueryHandlers } from './person.queries.handlers.js';
import { PersonDirectory } from './person-directory.js';

@Module({ providers: [PersonDirectory, ...personQueryHandlers], exports: [PersonDirectory] })
export class PersonsModule {}
