/**
 * A world as streams of events, decided by the same deciders as the commands, without a bus or a store. The
 * result is what the commands would write, at hundreds of thousands of events per second.
 */
import {
  type ContestCommand,
  contestAggregate,
} from '../../../competition/aggregates/contest/contest.decider.js';
import { type ContestState, initialContest } from '../../../competition/aggregates/contest/contest.js';
import { personAggregate } from '../../../competition/aggregates/person/person.decider.js';
import { type RoundCommand, roundAggregate } from '../../../competition/aggregates/round/round.decider.js';
import { initialRound, type RoundState } from '../../../competition/aggregates/round/round.js';
import {
  initialSpace,
  type SpaceState,
  spaceAggregate,
} from '../../../competition/aggregates/space/space.decider.js';
import type { Decider, DomainEvent } from '../../../domain/decider.js';
import { RejectedError } from '../../../domain/rejections.js';
import type { StreamNames } from '../../../domain/streams.js';
import type { Aggregate, CommandContext } from '../../../foundation/aggregates/aggregate.js';
import { type NewEvent, NO_STREAM } from '../../../foundation/event-store/event-store.js';
import { Random } from './random.js';
import { worldActions } from './world.js';
import type { World, WorldAction, WorldRound } from './world-actions.js';

/** Events to append to one stream atomically. Append batches in their order. */
export interface WorldBatch {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly NewEvent[];
  /** Number of results that this batch completes. */
  readonly results: number;
}

export interface WorldEventsOptions {
  readonly spaceId: string;
  readonly names: StreamNames;
  /** The id of each person from the operational store, by index. */
  readonly personIds: readonly number[];
  /** The present space and the revision of its stream. Default: it does not exist yet. */
  readonly space?: { readonly state: SpaceState; readonly revision: number };
}

/** The part of an aggregate that stores its events. */
type WrittenAs<Id> = Pick<Aggregate<Id, unknown, never, DomainEvent>, 'stream' | 'schema'>;

/** A stream that is being built. */
interface StreamInProgress<State> {
  state: State;
  revision: number;
}

interface OpenContest {
  readonly contest: StreamInProgress<ContestState>;
  readonly rounds: Map<string, StreamInProgress<RoundState> & { readonly round: WorldRound }>;
}

export function* worldEvents(world: World, options: WorldEventsOptions): Generator<WorldBatch> {
  yield* new WorldEventMaker(world, options).run();
}

class WorldEventMaker {
  readonly #world: World;
  readonly #options: WorldEventsOptions;
  readonly #ids: Random;
  readonly #context: CommandContext;
  readonly #space: StreamInProgress<SpaceState>;
  readonly #persons: StreamInProgress<(typeof personAggregate.decider)['initialState']>[] = [];
  readonly #contests = new Map<string, OpenContest>();
  /** Events of the round that is being entered, not yet returned. */
  #pending: { readonly round: WorldRound; readonly events: DomainEvent[] } | null = null;

  constructor(world: World, options: WorldEventsOptions) {
    this.#world = world;
    this.#options = options;
    this.#ids = new Random(world.seed, 3);
    this.#context = { actor: 'cli', correlationId: `generate-${world.seed}` };
    this.#space = { ...(options.space ?? { state: initialSpace, revision: NO_STREAM }) };
  }

  *run(): Generator<WorldBatch> {
    yield* this.#openSpace();
    for (const action of worldActions(this.#world)) {
      if (action.type !== 'enter-attempt' && action.type !== 'enter-results') yield* this.#flush();
      yield* this.#lower(action);
    }
    yield* this.#flush();
  }

  *#openSpace(): Generator<WorldBatch> {
    const { spaceId } = this.#options;
    if (this.#space.state.name !== null) return;
    const command = {
      type: 'CreateSpace',
      spaceId,
      name: spaceId === 'default' ? 'Default' : spaceId,
      events: [],
    } as const;
    yield* this.#decide(spaceAggregate, spaceId, this.#space, command);
  }

  *#lower(action: WorldAction): Generator<WorldBatch> {
    const { spaceId, personIds } = this.#options;
    switch (action.type) {
      case 'define-event':
        if (this.#space.state.events.has(action.event.eventId)) return;
        yield* this.#decide(spaceAggregate, spaceId, this.#space, {
          type: 'DefineEvent',
          event: action.event,
        });
        return;
      case 'register': {
        const { index, timeline } = action.person;
        const personId = personIds[index] ?? 0;
        const person = { state: personAggregate.decider.initialState, revision: NO_STREAM };
        this.#persons[index] = person;
        yield* this.#decide(personAggregate, personId, person, {
          type: 'RegisterPerson',
          personId,
          spaceId,
          timeline,
        });
        return;
      }
      case 'move':
        yield* this.#person(action.person, {
          type: 'MovePerson',
          from: action.from,
          regionCode: action.regionCode,
        });
        return;
      case 'correct-region':
        yield* this.#person(action.person, { type: 'CorrectRegion', timeline: action.timeline });
        return;
      case 'create-contest':
        yield* this.#create(action);
        return;
      case 'announce':
        yield* this.#contest(action.competitionId, { type: 'AnnounceContest' });
        return;
      case 'finish':
        yield* this.#finish(action.competitionId);
        return;
      case 'open-round':
        yield* this.#open(action.round);
        return;
      case 'enter-attempt':
        this.#enter(action.round, {
          type: 'EnterAttempt',
          eventId: action.round.eventId,
          competitor: this.#competitor(action.round, action.persons),
          attemptNumber: action.attemptNumber,
          value: action.value,
        });
        return;
      case 'enter-results': {
        const rows = action.rows.map(({ persons, attempts }, index) => ({
          index,
          competitor: this.#competitor(action.round, persons),
          attempts,
        }));
        this.#enter(action.round, { type: 'EnterResults', eventId: action.round.eventId, rows });
        return;
      }
      default:
        action satisfies never;
    }
  }

  *#person(
    index: number,
    command: Parameters<typeof personAggregate.decider.decide>[0],
  ): Generator<WorldBatch> {
    const person = this.#persons[index];
    if (person) yield* this.#decide(personAggregate, this.#options.personIds[index] ?? 0, person, command);
  }

  *#create(action: Extract<WorldAction, { type: 'create-contest' }>): Generator<WorldBatch> {
    const { spaceId, personIds } = this.#options;
    const contest: StreamInProgress<ContestState> = { state: initialContest, revision: NO_STREAM };
    this.#contests.set(action.competitionId, { contest, rounds: new Map() });
    yield* this.#contest(action.competitionId, {
      type: 'CreateContest',
      spaceId,
      competitionId: action.competitionId,
      details: { ...action.details, organizerIds: action.organizers.map((index) => personIds[index] ?? 0) },
      rounds: action.rounds.map((round) => ({ round, valueFormat: this.#event(round.eventId).format })),
    });
  }

  *#contest(competitionId: string, command: ContestCommand): Generator<WorldBatch> {
    const id = { spaceId: this.#options.spaceId, competitionId };
    yield* this.#decide(contestAggregate, id, this.#openContest(competitionId).contest, command);
  }

  /** Starts the contest before its first round opens, as the command does. */
  *#open(round: WorldRound): Generator<WorldBatch> {
    const { contest, rounds } = this.#openContest(round.competitionId);
    yield* this.#contest(round.competitionId, { type: 'StartContest' });
    const rules = contest.state.rounds.get(roundName(round))?.rules;
    if (!rules) throw new Error(`${roundName(round)} of ${round.competitionId} is not planned`);
    const { format, participants } = this.#event(round.eventId);
    rounds.set(roundName(round), { state: initialRound, revision: NO_STREAM, round });
    this.#enter(round, { type: 'OpenRound', setup: { rules, valueFormat: format, participants } });
  }

  /** Begins the ending, seals every planned round, completes the ending: entry relies on this order. */
  *#finish(competitionId: string): Generator<WorldBatch> {
    const { contest, rounds } = this.#openContest(competitionId);
    if (contest.state.phase !== 'ongoing') return;
    yield* this.#contest(competitionId, { type: 'BeginEnding', ending: 'finish' });
    for (const planned of contest.state.rounds.values()) {
      const round = { competitionId, eventId: planned.eventId, roundNumber: planned.roundNumber };
      const stream = rounds.get(roundName(round)) ?? { state: initialRound, revision: NO_STREAM, round };
      yield* this.#decide(roundAggregate, this.#roundKey(round), stream, { type: 'SealRound' });
    }
    yield* this.#contest(competitionId, { type: 'CompleteEnding' });
    this.#contests.delete(competitionId);
  }

  /** Collects the events of the round. They form one batch, returned before the next other action. */
  #enter(round: WorldRound, command: RoundCommand): void {
    const stream = this.#openContest(round.competitionId).rounds.get(roundName(round));
    if (!stream) throw new Error(`${roundName(round)} of ${round.competitionId} is not open`);
    const events = decided(roundAggregate.decider, command, stream);
    this.#pending ??= { round, events: [] };
    this.#pending.events.push(...events);
  }

  *#flush(): Generator<WorldBatch> {
    if (!this.#pending) return;
    const { round, events } = this.#pending;
    this.#pending = null;
    const stream = this.#openContest(round.competitionId).rounds.get(roundName(round));
    if (!stream) return;
    const results = stream.state.results.size;
    yield {
      ...this.#batch({ aggregate: roundAggregate, id: this.#roundKey(round) }, stream, events),
      results,
    };
  }

  *#decide<Id, State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<Id, State, Command, Event>,
    id: Id,
    stream: StreamInProgress<State>,
    command: Command,
  ): Generator<WorldBatch> {
    const events = decided(aggregate.decider, command, stream);
    if (events.length > 0) yield this.#batch({ aggregate, id }, stream, events);
  }

  #batch<Id>(
    { aggregate, id }: { readonly aggregate: WrittenAs<Id>; readonly id: Id },
    stream: { revision: number },
    events: readonly DomainEvent[],
  ): WorldBatch {
    const expected = stream.revision;
    stream.revision = expected + events.length;
    const metadata = { ...this.#context, schema: aggregate.schema };
    return {
      stream: this.#options.names.of(aggregate.stream, id),
      expected,
      events: events.map(({ type, data }) => ({ id: this.#ids.uuid(), type, data, metadata })),
      results: 0,
    };
  }

  #openContest(competitionId: string): OpenContest {
    const open = this.#contests.get(competitionId);
    if (!open) throw new Error(`contest ${competitionId} is not under way`);
    return open;
  }

  #event(eventId: string) {
    const event = this.#space.state.events.get(eventId);
    if (!event) throw new Error(`the space has no event ${eventId}`);
    return event;
  }

  #roundKey({ competitionId, eventId, roundNumber }: WorldRound) {
    return { spaceId: this.#options.spaceId, competitionId, eventId, roundNumber };
  }

  #competitor(round: WorldRound, persons: readonly number[]) {
    const personIds = persons.map((index) => this.#options.personIds[index] ?? 0);
    const resultId = `${round.competitionId}_${round.eventId}_r${round.roundNumber}_${personIds.join('-')}`;
    return { named: personIds, personIds, resultId, field: 'personId', elsewhere: 0 };
  }
}

const roundName = ({ eventId, roundNumber }: WorldRound): string => `${eventId}-r${roundNumber}`;

/** Throws RejectedError: a refused action is a fault of the generator. */
const decided = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  command: Command,
  stream: { state: State },
): readonly Event[] => {
  const decision = decider.decide(command, stream.state);
  if (!decision.ok) throw new RejectedError(decision.rejection);
  stream.state = decision.events.reduce(decider.evolve, stream.state);
  return decision.events;
};
