/** Plans an import of competitors without writing: who they are, and how their registrations compare with the list. */

import { Inject, Injectable } from '@nestjs/common';
import type { ContestRef } from '../../../domain/references.js';
import { RejectedError } from '../../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../foundation/operational/operational-store.js';
import { canTakeNumbers, contestAggregate } from '../../aggregates/contest/contest.decider.js';
import type { ContestState } from '../../aggregates/contest/contest.js';
import { Competitors } from '../../aggregates/person/competitors.js';
import { readCompetitorsCsv } from '../formats/competitors-csv-reader.js';
import type { CompetitorsFile, CompetitorsReading } from '../formats/competitors-file.js';
import { type Fault, FaultList } from '../formats/contest-file.js';
import { textOf } from '../formats/file-text.js';
import { readWcifCompetitors } from '../formats/wcif-competitors.js';
import type { CompetitorsOptions, CompetitorsPreview, CompetitorsSource } from './competitor-import.js';
import { competingIn, membersOf } from './contest-entry.js';
import { type PersonBests, unknownBests } from './earlier-bests.js';
import { type ContestIdentities, Identities } from './identity.js';
import { decisionsOf, namesOf } from './import-planner.js';
import { inFile, keptNumbers, personPreviews } from './import-preview.js';
import {
  compareList,
  type ListComparison,
  listChangeViews,
  missingIn,
  type PlannedRegistration,
  plannedRegistrations,
  repeatedRegistrations,
} from './list-comparison.js';

/** A file without faults, whose persons are decided. */
export interface CompetitorPlan {
  readonly identities: ContestIdentities;
  /** Persons whom the import registers. */
  readonly pending: Identities['pending'];
  readonly planned: readonly PlannedRegistration[];
  readonly before: ContestState;
}

export interface PlannedCompetitors {
  readonly preview: Omit<CompetitorsPreview, 'fingerprint'>;
  /** Null: the file has faults. */
  readonly plan: CompetitorPlan | null;
}

@Injectable()
export class CompetitorImportPlanner {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly competitors: Competitors,
  ) {}

  /** Throws RejectedError `contest-not-found`, `contest-state`. */
  async plan(
    contest: ContestRef,
    source: CompetitorsSource,
    options: CompetitorsOptions,
  ): Promise<PlannedCompetitors> {
    const before = await this.#contest(contest);
    const reading = readSource(source, contest, before);
    if (!reading.ok) return withFaults(reading.faults);
    const { file } = reading;
    const { aggregates, operational, competitors } = this;
    const identities = new Identities(contest.spaceId, { aggregates, operational, competitors });
    const members = await membersOf(aggregates, contest, before);
    const place = { file: source.name, line: null, column: null };
    const decided = await identities.decide(
      { rounds: [], organizers: [], competitors: file.registrations, opaque: null, place },
      members,
    );
    const planned = plannedRegistrations(file.registrations, decided);
    const faults = new FaultList();
    for (const fault of [...decided.faults.faults, ...repeatedRegistrations(planned)])
      faults.add(fault, fault.reason);
    if (faults.faults.length > 0) return withFaults(faults.faults);
    identities.accept(decided);
    const plan = { identities: decided, pending: identities.pending, planned, before };
    return { preview: await this.#previewOf(contest, plan, { ...options, notes: file.notes }), plan };
  }

  /** Those of the plan that the space does not know of. */
  async bests(
    { planned, before: { details } }: CompetitorPlan,
    today: string,
  ): Promise<readonly PersonBests[]> {
    const { aggregates } = this;
    return details === null ? [] : unknownBests(planned.map(bestsOf), details, { aggregates, today });
  }

  async #contest(contest: ContestRef): Promise<ContestState> {
    const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    const { competitionId } = contest;
    if (state.phase === 'none' || state.phase === 'deleted')
      throw new RejectedError({ code: 'contest-not-found', detail: `there is no contest ${competitionId}` });
    if (canTakeNumbers(state)) return state;
    throw new RejectedError({
      code: 'contest-state',
      detail: `the contest is ${state.phase} and cannot be given competitors`,
    });
  }

  async #previewOf(
    contest: ContestRef,
    plan: CompetitorPlan,
    { notes, overwrite, today }: CompetitorsOptions & Pick<CompetitorsFile, 'notes'>,
  ): Promise<PlannedCompetitors['preview']> {
    const { planned, before } = plan;
    const comparison = compareList(planned, before, overwrite);
    const numbers = comparison.rows.flatMap(({ personIds: [personId = 0], number }) =>
      number === null ? [] : [{ personId, number }],
    );
    const numbered = planned.flatMap(({ registration: { number, place }, candidate: { personId } }) =>
      number === null ? [] : [{ personId, number, place }],
    );
    return {
      faults: [],
      notes: [...notes, ...plan.identities.notes, ...keptNumbers(numbered, { before, numbers })].map(inFile),
      persons: personPreviews(decisionsOf(plan), numbers),
      competitors: listChangeViews(comparison, planned, {
        list: before,
        ...(await this.#known(contest, before, comparison)),
      }),
      sameCompetitors: comparison.same,
      personalBests: (await this.bests(plan, today)).length,
    };
  }

  async #known(contest: ContestRef, before: ContestState, comparison: ListComparison) {
    const missing = missingIn(comparison);
    return {
      names: await namesOf(this.operational, missing),
      withResults:
        missing.length === 0 ? new Set<number>() : await competingIn(this.aggregates, contest, before),
    };
  }
}

const readSource = (
  { format, name, bytes }: CompetitorsSource,
  { competitionId }: ContestRef,
  { rounds }: ContestState,
): CompetitorsReading => {
  const faults = new FaultList();
  const text = faults.attempt(() => textOf(name, bytes));
  if (text === null) return { ok: false, faults: faults.faults };
  const contest = { competitionId, eventIds: new Set(rounds.valueSeq().map(({ eventId }) => eventId)) };
  return format === 'csv'
    ? readCompetitorsCsv(name, text, contest)
    : readWcifCompetitors(name, text, contest);
};

const bestsOf = ({ registration: { bests = [] }, candidate }: PlannedRegistration): PersonBests => ({
  personId: candidate.personId,
  bests,
});

const withFaults = (faults: readonly Fault[]): PlannedCompetitors => ({
  preview: { ...NOTHING, faults: faults.map(inFile) },
  plan: null,
});

const NOTHING = { notes: [], persons: [], competitors: [], sameCompetitors: 0, personalBests: 0 };
