/** Queries on persons and what they answer. */

import { Query } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';

/** A person as rankings and rounds show them. One whose profile was erased is `{id, name: '—', others null}`. */
export interface PersonView {
  readonly id: number;
  readonly name: string;
  readonly localizedName: string | null;
  /** Today's: the last of the timeline. */
  readonly regionCode: string | null;
  readonly assocId: string | null;
}

export interface PersonDetailView extends PersonView {
  readonly spaceId: string;
  readonly timeline: readonly RegionPeriod[];
  /** Ids that were merged into this person. */
  readonly aliases: readonly number[];
}

/** Follows aliases. Throws RejectedError `person-not-found`. */
export class GetPerson extends Query<PersonDetailView> {
  constructor(readonly personId: number) {
    super();
  }
}

export interface PersonSearchResult {
  readonly items: readonly PersonView[];
  /** Give this as `after` to go on; null at the end. */
  readonly next: number | null;
}

/**
 * Whose name, localized name or association id contains the text, by name; in front of them whoever has exactly this id.
 * Nobody who was merged into somebody else.
 */
export class SearchPersons extends Query<PersonSearchResult> {
  constructor(
    readonly spaceId: string,
    readonly text: string,
    readonly page: { readonly after?: number; readonly limit: number },
  ) {
    super();
  }
}

/** Every round that has a result under exactly this person id, aliases not followed: where a merge has to go. */
export class ListRoundsOfPerson extends Query<readonly RoundKey[]> {
  constructor(readonly personId: number) {
    super();
  }
}

/** Persons whose merge was begun and is not recorded on both sides: for the process manager. */
export class ListMergingPersons extends Query<readonly number[]> {}
