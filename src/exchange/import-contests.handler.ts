/**
 * Puts contests in, many at a time. A batch is first decided whole (who its persons are, whether any rule refuses
 * anything), then its persons are registered, then its contests are entered side by side: the commits of the event
 * store are shared, the order of decisions is not left to chance. What is there already is recognised by its content,
 * so the same files again append nothing, and files whose import was interrupted are completed.
 */
import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DEFAULT_SPACE } from '../domain/ids.js';
import { RejectedError } from '../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../eventstore/aggregate.js';
import { EVENT_STORE, type EventStore } from '../eventstore/event-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../operational/operational-store.js';
import { Competitors } from '../persons/competitors.js';
import { OFFICIAL_EVENTS } from '../spaces/catalogue.js';
import { CreateSpace, DefineEvent } from '../spaces/space.commands.js';
import { type SpaceState, spaceAggregate } from '../spaces/space.decider.js';
import { ContestEntry } from './contest-entry.js';
import { type ContestFile, placeOf, type Reading, resultCount } from './contest-file.js';
import { ContestPlan, faultsOf } from './contest-plan.js';
import { type ContestOutcome, ImportContests, type ImportReport } from './exchange.commands.js';
import { Identities } from './identity.js';
import { registerPersons } from './register-persons.js';
import { allSettled } from './settled.js';

/** Contests decided together, and so the most that an interruption leaves to be completed. */
const BATCH = 64;

interface ImportServices {
  readonly commands: CommandBus;
  readonly aggregates: AggregateRuntime;
  readonly operational: OperationalStore;
  readonly competitors: Competitors;
}

type Planned =
  | { readonly outcome: ContestOutcome }
  | { readonly plan: ContestPlan; readonly entry: ContestEntry };

@CommandHandler(ImportContests)
export class ImportContestsHandler implements ICommandHandler<ImportContests> {
  readonly #services: ImportServices;
  readonly #eventStore: EventStore;

  constructor(
    @Inject(CommandBus) commands: CommandBus,
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) operational: OperationalStore,
    @Inject(Competitors) competitors: Competitors,
    @Inject(EVENT_STORE) eventStore: EventStore,
  ) {
    this.#eventStore = eventStore;
    this.#services = { commands, aggregates, operational, competitors };
  }

  async execute(command: ImportContests): Promise<ImportReport> {
    await this.#requireSpace(command);
    const contests: ContestOutcome[] = [];
    for await (const batch of batches(command.readings))
      contests.push(...(await this.#importBatch(batch, command)));
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
    command: ImportContests,
  ): Promise<readonly ContestOutcome[]> {
    const { options, context } = command;
    const identities = new Identities(options.spaceId, this.#services);
    const planned: Planned[] = [];
    for (const reading of readings) planned.push(await this.#plan(reading, identities, command));
    const accepted = planned.flatMap((each) => ('plan' in each ? [each] : []));
    await this.#defineEvents(
      accepted.map(({ plan }) => plan.file),
      command,
    );
    await registerPersons(
      identities.pending,
      accepted.map(({ plan }) => plan),
      { ...this.#services, spaceId: options.spaceId, context },
    );
    return allSettled(
      planned.map(async (each) => {
        const outcome = 'plan' in each ? await enter(each.plan, each.entry) : each.outcome;
        options.onContest?.(outcome);
        return outcome;
      }),
    );
  }

  async #plan(reading: Reading, identities: Identities, command: ImportContests): Promise<Planned> {
    if (!reading.ok) {
      const { source, faults } = reading;
      return { outcome: { ...EMPTY, source, outcome: 'left-out', faults } };
    }
    const { spaceId } = command.options;
    const file = reading.contest;
    const entry = new ContestEntry(file, command, this.#services);
    const decided = await identities.decide(file, await entry.present());
    const plan = new ContestPlan(file, decided);
    const space = await this.#services.aggregates.load(spaceAggregate, spaceId);
    const faults = [...faultsOf(plan, space.state), ...(await entry.conflicts(plan))];
    if (faults.length > 0) return { outcome: { ...outlineOf(file), outcome: 'left-out', faults } };
    identities.accept(decided);
    return { plan, entry };
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

const EMPTY = { competitionId: null, results: 0, faults: [], notes: [], persons: [] } as const;

const outlineOf = (file: ContestFile) => ({
  source: file.source,
  competitionId: file.competitionId,
  results: resultCount(file),
  faults: [],
  notes: file.notes,
  persons: [],
});

/** A refusal here means that somebody else changed the contest meanwhile: the others still go in. */
const enter = async (plan: ContestPlan, entry: ContestEntry): Promise<ContestOutcome> => {
  const persons = [...plan.identities.persons.values()].map(({ person, candidate, by, learned }) => ({
    person,
    personId: candidate.personId,
    by,
    learned,
  }));
  const outline = { ...outlineOf(plan.file), persons };
  try {
    return { ...outline, outcome: await entry.enter(plan) };
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    const reason = `refused on its way in; import it again to complete it: ${error.message}`;
    return { ...outline, outcome: 'left-out', faults: [{ ...placeOf(plan.file.place), reason }] };
  }
};

/** A contest that a batch has already waits for the next one, so that it meets what came of the first. */
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
