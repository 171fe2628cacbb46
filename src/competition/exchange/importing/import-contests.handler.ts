/**
 * Imports many contests. Each batch is first decided as a whole: its persons, and every refusal. Then its persons are
 * registered, and its contests are entered concurrently, so that they share commits of the event store. Equal content
 * is recognised, so importing the same files again appends nothing. Interrupted imports are completed.
 */
import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DEFAULT_SPACE } from '../../../domain/ids.js';
import { RejectedError } from '../../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../../foundation/aggregates/aggregate.js';
import { EVENT_STORE, type EventStore } from '../../../foundation/event-store/event-store.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../foundation/operational/operational-store.js';
import { type ListCounts, listCounts } from '../../aggregates/competitor-list/competitor-list.decider.js';
import { CreateSpace, DefineEvent } from '../../aggregates/space/space.commands.js';
import { type SpaceState, spaceAggregate } from '../../aggregates/space/space.decider.js';
import { OFFICIAL_EVENTS } from '../../spaces/catalogue.js';
import {
  type ContestOutcome,
  type EndingKey,
  ImportContests,
  type ImportReport,
} from '../exchange.commands.js';
import { type ContestFile, placeOf, type Reading, resultCount } from '../formats/contest-file.js';
import type { ContestComparison } from './contest-comparison.js';
import type { ContestPlan } from './contest-plan.js';
import { decisionsOf, ImportPlanner, type PlannedContest, type ReadyContest } from './import-planner.js';
import { previewOf, requireFingerprint } from './import-preview.js';
import { type ImportTurn, ImportTurns } from './import-turns.js';
import { registerPersons } from './register-persons.js';
import { allSettled } from './settled.js';

/** Contests that are decided together. An interruption leaves at most this many incomplete. */
const BATCH = 64;

interface ImportServices {
  readonly commands: CommandBus;
  readonly aggregates: AggregateRuntime;
  readonly operational: OperationalStore;
}

interface EntryGiven {
  readonly context: CommandContext;
  /** The comparison of the agreed preview. */
  readonly agreed: ContestComparison | undefined;
  readonly endingKeys: readonly EndingKey[];
  readonly list: ListCounts;
}

@CommandHandler(ImportContests)
export class ImportContestsHandler implements ICommandHandler<ImportContests> {
  readonly #services: ImportServices;
  readonly #eventStore: EventStore;
  readonly #planner: ImportPlanner;

  constructor(
    commands: CommandBus,
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) operational: OperationalStore,
    @Inject(EVENT_STORE) eventStore: EventStore,
    planner: ImportPlanner,
    private readonly turns: ImportTurns,
  ) {
    this.#eventStore = eventStore;
    this.#services = { commands, aggregates, operational };
    this.#planner = planner;
  }

  execute(command: ImportContests): Promise<ImportReport> {
    return this.turns.take(command.options.spaceId, (turn) => this.#import(command, turn));
  }

  async #import(command: ImportContests, turn: ImportTurn): Promise<ImportReport> {
    await this.#requireSpace(command);
    const { readings, options } = command;
    const agreed = options.preview === undefined ? [] : await this.#requirePreview(options.preview, command);
    const contests: ContestOutcome[] = [];
    for await (const batch of batches(readings))
      contests.push(...(await this.#importBatch(batch, { command, agreed, turn })));
    return { contests, position: await this.#eventStore.head() };
  }

  async #requireSpace({ options: { spaceId }, context }: ImportContests): Promise<SpaceState> {
    const { state } = await this.#services.aggregates.load(spaceAggregate, spaceId, { fresh: true });
    if (state.name !== null) return state;
    if (spaceId !== DEFAULT_SPACE) {
      throw new RejectedError({ code: 'space-not-found', detail: `there is no space ${spaceId}` });
    }
    await this.#services.commands.execute(new CreateSpace(spaceId, 'Default', OFFICIAL_EVENTS, context));
    return (await this.#services.aggregates.load(spaceAggregate, spaceId, { fresh: true })).state;
  }

  async #importBatch(
    readings: readonly Reading[],
    {
      command,
      agreed,
      turn,
    }: {
      readonly command: ImportContests;
      readonly agreed: readonly PlannedContest[];
      readonly turn: ImportTurn;
    },
  ): Promise<readonly ContestOutcome[]> {
    const { options, context } = command;
    const { identities, planned } = await this.#planner.plan(readings, options);
    const accepted = planned.flatMap(({ ready }) => ready ?? []);
    await this.#defineEvents(
      accepted.map(({ plan }) => plan.file),
      command,
    );
    await registerPersons(
      identities.pending,
      accepted.map(({ plan }) => plan),
      { ...this.#services, spaceId: options.spaceId, context, turn },
    );
    return allSettled(
      planned.map(async (each) => {
        const outcome = each.ready
          ? await this.#enter(each.ready, {
              context,
              agreed: agreementOn(each, agreed),
              endingKeys: each.compared?.endingKeys ?? [],
              list: listCounts(each.compared?.comparison.list?.differences ?? []),
            })
          : leftOut(each);
        options.onContest?.(outcome);
        return outcome;
      }),
    );
  }

  /**
   * A refusal here means that another command changed the contest meanwhile. The other contests are still imported.
   */
  async #enter(
    { plan, entry }: ReadyContest,
    { endingKeys, list, ...given }: EntryGiven,
  ): Promise<ContestOutcome> {
    const outline = { ...outlineOf(plan), persons: decisionsOf(plan) };
    try {
      return {
        ...outline,
        outcome: await entry.enter(plan, { ...given, commands: this.#services.commands }),
        endedKeys: endingKeys,
        list,
      };
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      const reason = `refused during the import; import it again to complete it: ${error.message}`;
      return { ...outline, outcome: 'left-out', faults: [{ ...placeOf(plan.file.place), reason }] };
    }
  }

  /** Requires that the import still makes the agreed changes. Throws RejectedError `import-changed`. */
  async #requirePreview(
    agreed: string,
    { readings, options }: ImportContests,
  ): Promise<readonly PlannedContest[]> {
    const { aggregates } = this.#services;
    const { state } = await aggregates.load(spaceAggregate, options.spaceId, { fresh: true });
    const { planned } = await this.#planner.plan(readings, options);
    requireFingerprint(agreed, previewOf(planned, state, options));
    return planned;
  }

  async #defineEvents(files: readonly ContestFile[], { options, context }: ImportContests): Promise<void> {
    const { state } = await this.#services.aggregates.load(spaceAggregate, options.spaceId);
    const known = new Set(state.events.keys());
    for (const event of files.flatMap(({ events }) => events)) {
      if (known.has(event.eventId)) continue;
      known.add(event.eventId);
      await this.#services.commands.execute(new DefineEvent(options.spaceId, event, context));
    }
  }
}

const NO_CHANGES = listCounts([]);

const outlineOf = ({ file, notes }: ContestPlan) => ({
  source: file.source,
  competitionId: file.competitionId,
  results: resultCount(file),
  faults: [],
  notes,
  persons: [],
  endedKeys: [],
  list: NO_CHANGES,
});

/** Returns the agreed comparison of the same reading. */
const agreementOn = (
  { compared }: PlannedContest,
  agreed: readonly PlannedContest[],
): ContestComparison | undefined =>
  agreed.find((each) => compared !== null && each.compared?.plan.file === compared.plan.file)?.compared
    ?.comparison;

const NOT_READ = {
  competitionId: null,
  results: 0,
  notes: [],
  persons: [],
  endedKeys: [],
  list: NO_CHANGES,
};

const leftOut = ({ source, compared, faults }: PlannedContest): ContestOutcome => {
  const outline = compared ? outlineOf(compared.plan) : { ...NOT_READ, source };
  return { ...outline, outcome: 'left-out', faults };
};

/** A contest whose id is already in the batch goes to the next batch, which sees the effects of the first. */
async function* batches(readings: ImportContests['readings']): AsyncGenerator<readonly Reading[]> {
  let batch: Reading[] = [];
  const ids = new Set<string>();
  for await (const reading of readings) {
    const id = reading.ok ? reading.contest.competitionId : '';
    if (batch.length === BATCH || ids.has(id)) {
      yield batch;
      batch = [];
      ids.clear();
    }
    if (reading.ok) ids.add(id);
    batch.push(reading);
  }
  yield batch;
}
