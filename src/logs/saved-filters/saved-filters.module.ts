/** Saved filters of LQL. */
import { Module } from '@nestjs/common';
import { Owners } from '../owners.js';
import { SavedFilters } from './saved-filters.js';

@Module({ providers: [Owners, SavedFilters], exports: [SavedFilters] })
export class SavedFiltersModule {}
