/** The results of a person: the best of each event, and every result, newest contest first. */
import { Query } from '@nestjs/cqrs';
import type { Category } from '../../domain/rankings.js';
import type { RecordTags } from '../../domain/record-tags.js';
import type { PersonDetailView, PersonView } from './person.queries.js';

export interface PersonResultView {
  readonly resultId: string;
  readonly competitionId: string;
  readonly contestName: string;
  readonly category: Exclude<Category, 'all'>;
  readonly eventId: string;
  readonly roundNumber: number;
  /** The team, in its order; one person in individual events. */
  readonly persons: readonly PersonView[];
  readonly attempts: readonly { readonly result: number }[];
  readonly best: number;
  readonly average: number;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly recordTags: RecordTags;
}

/** The best of an event as its ranking counts it, with its places in the lists of persons of all categories. */
export interface PersonBestView {
  readonly resultId: string;
  readonly value: number;
  /** YYYY-MM-DD */
  readonly date: string;
  /** World (null) first, then continent and country when the result counts for them. Place 1 is the record. */
  readonly places: readonly { readonly region: string | null; readonly place: number }[];
}

export interface PersonBestsView {
  readonly eventId: string;
  /** Null: no result that ranks. */
  readonly single: PersonBestView | null;
  readonly average: PersonBestView | null;
}

export interface PersonResultsView extends PersonDetailView {
  /** Events with results, in display order. */
  readonly bests: readonly PersonBestsView[];
  readonly results: readonly PersonResultView[];
}

/** Follows merges. Includes only results of public contests. Throws RejectedError `person-not-found`. */
export class GetPersonResults extends Query<PersonResultsView> {
  constructor(readonly personId: number) {
    super();
  }
}
