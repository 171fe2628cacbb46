/** Queries on persons and their results. */

import { Query } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';

/** A person as rankings and rounds show it. After the profile was erased: `{id, name: '—', others null}`. */
export interface PersonView {
  readonly id: number;
  readonly name: string;
  readonly localizedName: string | null;
  /** The current region: the last of the timeline. */
  readonly regionCode: string | null;
  readonly assocId: string | null;
}

export interface PersonDetailView extends PersonView {
  readonly spaceId: string;
  readonly timeline: readonly RegionPeriod[];
  /** Ids of persons merged into this one. */
  readonly aliases: readonly number[];
}

/** Follows merges. Throws RejectedError `person-not-found`. */
export class GetPerson extends Query<PersonDetailView> {
  constructor(readonly personId: number) {
    super();
  }
}

export interface PersonSearchResult {
  readonly items: readonly PersonView[];
  /** Pass it as `after` to get the next page; null on the last page. */
  readonly next: number | null;
}

/**
 * Finds persons whose name, localized name or association id contains the text, sorted by name. The person with
 * exactly this id comes first. Leaves out merged persons.
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

/**
 * Every round with a result under exactly this person id, without following merges. A merge has to change these
 * rounds.
 */
export class ListRoundsOfPerson extends Query<readonly RoundKey[]> {
  constructor(readonly personId: number) {
    super();
  }
}

/** Persons whose merge was begun and is not recorded on both sides. For the process manager. */
export class ListMergingPersons extends Query<readonly number[]> {}
