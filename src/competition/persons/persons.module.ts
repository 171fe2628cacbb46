/** Persons: registration, regions, merging and erasure, and who is shown under an id. */
import { Module } from '@nestjs/common';
import { PreviewMergeHandler } from '../merges/merge-preview.js';
import { PersonMerges } from '../merges/person-merges.js';
import { Competitors } from './competitors.js';
import { personCommandHandlers } from './person.handlers.js';
import { personQueryHandlers } from './person.queries.handlers.js';
import { PersonDirectory } from './person-directory.js';
import { PersonErasure } from './person-erasure.js';

@Module({
  providers: [
    PersonDirectory,
    Competitors,
    PersonErasure,
    PersonMerges,
    PreviewMergeHandler,
    ...personQueryHandlers,
    ...personCommandHandlers,
  ],
  exports: [PersonDirectory, Competitors, PersonMerges],
})
export class PersonsModule {}
