/** Persons: registration, regions, erasure, and the directory that pages show. */
import { Module } from '@nestjs/common';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { Competitors } from '../aggregates/person/competitors.js';
import { personCommandHandlers } from './person.handlers.js';
import { personQueryHandlers } from './person.queries.handlers.js';
import { PersonDirectory } from './person-directory.js';
import { PersonErasure } from './person-erasure.js';

@Module({
  providers: [
    {
      provide: PersonDirectory,
      useFactory: (store: OperationalStore) => new PersonDirectory(store),
      inject: [OPERATIONAL_STORE],
    },
    Competitors,
    PersonErasure,
    ...personQueryHandlers,
    ...personCommandHandlers,
  ],
  exports: [PersonDirectory, Competitors, PersonErasure],
})
export class PersonsModule {}
