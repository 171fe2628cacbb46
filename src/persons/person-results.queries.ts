/** What a person has reached: the best of each event, and every result, newest contest first. */
import { Query } from '@nestjs/cqrs';
import type { Category } from '../projections/tags.js';
import type { PersonDetailView, PersonView } from './person.queries.js';

export interface PersonResultView {
  readonly resultId: string;
  readonly competitionId: string;
  readonly contestName: string;
  readonly category: Exclude<Category, 'all'>;
  readonly eventId: string;
  readonly roundNumber: number;
  /** The team, in its order; one for individual events. */
  readonly persons: readonly PersonView[];
  readonly attempts: readonly { readonly result: number }[];
  readonly best: number;
  readonly average: number;
  /** YYYY-MM-DD */
  readonly date: string;
}

export interface PersonResultsView extends PersonDetailView {
  readonly results: readonly PersonResultView[];
}

/** Follows aliases; only results of public contests. Throws RejectedError `person-not-found`. */
export class GetPersonResults extends Query<PersonResultsView> {
  constructor(readonly personId: number) {
    super();
  }
}
