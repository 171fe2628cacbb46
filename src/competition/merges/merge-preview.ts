/** Shows what a merge would do. A merge cannot be undone, so admins look at this first. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type RoundRef, roundCode } from '../../domain/attempts.js';
import type { RoundKey } from '../../domain/references.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { contestId, contests } from '../contests/contest-documents.js';
import { GetPerson, type PersonDetailView } from '../persons/person.queries.js';
import { PersonMerges } from './person-merges.js';

export interface MergedRoundView extends RoundRef {
  readonly competitionId: string;
  readonly contestName: string;
  /** Both persons have a result in this round, or are in one team: the merge is refused. */
  readonly collides: boolean;
}

export interface MergePreviewView {
  readonly from: PersonDetailView;
  readonly into: PersonDetailView;
  /** Rounds whose results move to `into`, newest contest first. */
  readonly rounds: readonly MergedRoundView[];
  /** Number of contests that these rounds belong to. */
  readonly contests: number;
  /**
   * The association id that `into` takes over; null: `into` has its own, or `from` has none. When both have one, both
   * ids lead to `into`.
   */
  readonly takesAssocId: string | null;
  /** Null: the merge is allowed. */
  readonly refusal: { readonly code: string; readonly detail: string } | null;
}

/** Throws RejectedError `person-not-found`. */
export class PreviewMerge extends Query<MergePreviewView> {
  constructor(
    readonly from: number,
    readonly into: number,
  ) {
    super();
  }
}

@QueryHandler(PreviewMerge)
export class PreviewMergeHandler implements IQueryHandler<PreviewMerge> {
  constructor(
    private readonly merges: PersonMerges,
    private readonly queries: QueryBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(merge: PreviewMerge): Promise<MergePreviewView> {
    const from = await this.queries.execute(new GetPerson(merge.from));
    const into = await this.queries.execute(new GetPerson(merge.into));
    const { rounds, conflicts, refusal } = await this.merges.precheck(merge);
    const colliding = new Set(conflicts.map(keyOf));
    const shown = await this.#rounds(rounds, colliding);
    return {
      from,
      into,
      rounds: shown,
      contests: new Set(shown.map(({ competitionId }) => competitionId)).size,
      takesAssocId: into.assocId === null ? from.assocId : null,
      refusal: refusal && { code: refusal.code, detail: refusal.detail },
    };
  }

  async #rounds(
    rounds: readonly RoundKey[],
    colliding: ReadonlySet<string>,
  ): Promise<readonly MergedRoundView[]> {
    const ids = rounds.map(({ spaceId, competitionId }) => contestId(spaceId, competitionId));
    const found = await this.readModels.snapshot((view) => view.getMany(contests, ids));
    return rounds
      .map((round, index) => {
        const { competitionId, eventId, roundNumber } = round;
        const contest = found[index];
        const shown = {
          competitionId,
          contestName: contest?.name ?? competitionId,
          eventId,
          roundNumber,
          collides: colliding.has(keyOf(round)),
        };
        return { shown, order: `${contest?.startDate ?? ''} ${competitionId}` };
      })
      .sort((a, b) => (a.order === b.order ? 0 : a.order < b.order ? 1 : -1))
      .map(({ shown }) => shown);
  }
}

const keyOf = (round: RoundKey): string => `${round.competitionId} ${roundCode(round)}`;
