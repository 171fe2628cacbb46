/** Persons: registration, regions, merging and erasure, and who is shown under an id. */
import { Module } from '@nestjs/common';
import { Competitors } from './competitors.js';
import { PreviewMergeHandler } from './merge-preview.js';
import { personCommandHandlers } from './person.handlers.js';
import { personQueryHandlers } from './person.queries.handlers.js';
import { PersonDirectory } from './person-directory.js';
import { PersonErasure } from './person-erasure.js';
import { PersonMerges } from './person-merges.js';

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
