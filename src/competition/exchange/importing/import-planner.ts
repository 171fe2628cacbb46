/**
 * Plans an import without writing: who the persons of the files are, which rules refuse something, and how each
 * contest compares with the stored one. The preview shows this plan; the import executes it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { AGGREGATES, type AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../foundation/operational/operational-store.js';
import { apiKeyAggregate } from '../../aggregates/api-key/api-key.decider.js';
import { Competitors } from '../../aggregates/person/competitors.js';
import { initialSpace, type SpaceState, spaceAggregate } from '../../aggregates/space/space.decider.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import type { EndingKey, ImportOptions, PersonDecision } from '../exchange.commands.js';
import type { Fault, Reading } from '../formats/contest-file.js';
import { type ContestComparison, conflictsOf, isReplaceable } from './contest-comparison.js';
import { ContestEntry } from './contest-entry.js';
import { ContestPlan, faultsOf } from './contest-plan.js';
import { type ContestIdentities, Identities } from './identity.js';
import { choiceFaults, endsKeys, importActionOf } from './import-action.js';
import { missingIn } from './list-comparison.js';
import { allSettled } from './settled.js';

export interface ReadyContest {
  readonly plan: ContestPlan;
  readonly entry: ContestEntry;
}

export interface Compared {
  readonly plan: ContestPlan;
  readonly comparison: ContestComparison;
  /** Whether the contest could be imported by replacing results only. */
  readonly isReplaceable: boolean;
  /** Names of the persons who are shown and not in the file, without erased persons. */
  readonly names: ReadonlyMap<number, string>;
  /** Those who would leave the competitor list and have results in the contest. */
  readonly withResults: ReadonlySet<number>;
  /** The active keys that the import would end. */
  readonly endingKeys: readonly EndingKey[];
}

export interface PlannedContest {
  readonly source: string;
  /** Null: the file could not be read. */
  readonly compared: Compared | null;
  /** Why the contest is left out. */
  readonly faults: readonly Fault[];
  /** Null: the contest is left out. */
  readonly ready: ReadyContest | null;
}

/** Facts from the contests that are already accepted. */
interface AcceptedBefore {
  readonly identities: Identities;
  /** By event id. */
  readonly brought: SpaceState['events'];
}

@Injectable()
export class ImportPlanner {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly competitors: Competitors,
  ) {}

  /** Plans one contest after the other, because each may add facts about persons. */
  async plan(
    readings: Iterable<Reading> | AsyncIterable<Reading>,
    options: ImportOptions,
  ): Promise<{ readonly identities: Identities; readonly planned: readonly PlannedContest[] }> {
    const { aggregates, operational, competitors } = this;
    const identities = new Identities(options.spaceId, { aggregates, operational, competitors });
    const planned: PlannedContest[] = [];
    let brought: SpaceState['events'] = initialSpace.events;
    for await (const reading of readings) {
      const one = await this.#planOne(reading, { identities, brought }, options);
      planned.push(one);
      const events = one.ready?.plan.file.events ?? [];
      brought = brought.concat(events.map((event): [string, EventDefinition] => [event.eventId, event]));
    }
    return { identities, planned };
  }

  async #planOne(
    reading: Reading,
    { identities, brought }: AcceptedBefore,
    options: ImportOptions,
  ): Promise<PlannedContest> {
    if (!reading.ok) return { source: reading.source, compared: null, faults: reading.faults, ready: null };
    const file = reading.contest;
    const { source } = file;
    const entry = new ContestEntry(file, options, this.aggregates);
    const { competing, organizing } = await entry.present();
    const organizers = await this.#followMerges(options.spaceId, organizing);
    const decided = await identities.decide(file, { competing, organizing: organizers });
    const plan = new ContestPlan(file, decided, organizers);
    const { state } = await this.aggregates.load(spaceAggregate, options.spaceId);
    const comparison = await entry.compare(plan);
    const broken = faultsOf(plan, { ...state, events: brought.merge(state.events) });
    const compared: Compared = {
      plan,
      comparison,
      isReplaceable: broken.length === 0 && isReplaceable(file, comparison),
      names: await this.#namesIn(comparison),
      withResults: await entry.withResults(comparison),
      endingKeys: endsKeys(importActionOf(comparison, options)) ? await this.#activeKeys(comparison) : [],
    };
    const faults = [
      ...broken,
      ...conflictsOf(file, comparison, options.replace ?? false),
      ...choiceFaults(file, comparison, options),
    ];
    if (faults.length > 0) return { source, compared, faults, ready: null };
    identities.accept(decided);
    return { source, compared, faults, ready: { plan, entry } };
  }

  /** Follows merges. */
  async #followMerges(spaceId: string, personIds: readonly number[]): Promise<readonly number[]> {
    const selectors = personIds.map((personId) => ({ by: 'personId', personIds: [personId] }) as const);
    const found = await this.competitors.resolve(spaceId, selectors);
    return found.flatMap((competitor) => ('personIds' in competitor ? competitor.personIds : []));
  }

  async #activeKeys({ before }: ContestComparison): Promise<readonly EndingKey[]> {
    const keys = await allSettled(
      [...before.keyIds].map((keyId) => this.aggregates.load(apiKeyAggregate, keyId, { fresh: true })),
    );
    return keys.flatMap(({ state: { phase, issued } }) =>
      phase === 'active' && issued ? [{ keyId: issued.keyId, device: issued.device }] : [],
    );
  }

  async #namesIn({ rounds, list }: ContestComparison): Promise<ReadonlyMap<number, string>> {
    const differing = rounds.flatMap(({ differences }) => differences);
    const personIds = differing.flatMap(({ inRound }) => inRound?.personIds ?? []);
    return namesOf(this.operational, [...personIds, ...missingIn(list)]);
  }
}

/** Without erased persons. */
export const namesOf = async (
  operational: OperationalStore,
  personIds: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const profiles = await operational.profiles([...new Set(personIds)]);
  return new Map([...profiles].map(([personId, { name }]) => [personId, name]));
};

/** Returns who the persons of a file are, as decided so far. */
export const decisionsOf = (plan: { readonly identities: ContestIdentities }): readonly PersonDecision[] =>
  [...plan.identities.persons.values()].map(({ person, candidate, by, learned }) => ({
    person,
    personId: candidate.personId,
    by,
    learned,
  }));
