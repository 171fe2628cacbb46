/** Merges: the command, its preview, and the service that runs the merge through all rounds. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { MergePersonsHandler } from './merge.handler.js';
import { PreviewMergeHandler } from './merge-preview.js';
import { MergingPersons } from './merging-persons.js';
import { PersonMerges } from './person-merges.js';

@Module({
  imports: [PersonsModule],
  providers: [MergingPersons, PersonMerges, MergePersonsHandler, PreviewMergeHandler],
  exports: [PersonMerges],
})
export class MergesModule {}
