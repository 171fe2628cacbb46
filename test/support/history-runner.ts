/**
 * Carries a random history out through the real commands and keeps the facts that were accepted for the oracle. A
 * refused command leaves no fact: if it changed anything nevertheless, the comparison shows it. Each history gets a
 * space of its own, so that one application serves many and a leak between spaces would be noticed.
 */

import type { CommandBus } from '@nestjs/cqrs';
import type { PlannedRound } from '../../src/competition/aggregates/contest/contest.js';
import { CreateSpace } from '../../src/competition/aggregates/space/space.commands.js';
import { RegisterCompetitors } from '../../src/competition/contests/competitor-list.commands.js';
import { AnnounceContest, CreateContest } from '../../src/competition/contests/contest.commands.js';
import { RegisterPerson } from '../../src/competition/persons/person.commands.js';
import {
  EnterAttempt,
  EnterResults,
  type EntryReceipt,
  OpenRound,
  UndoChange,
} from '../../src/competition/rounds/round.commands.js';
import type { ContestRef, RoundKey } from '../../src/domain/references.js';
import { RejectedError, type Rejection } from '../../src/domain/rejections.js';
import { CONTESTS, EVENTS, type History, pickedValue, type SmallEvent, type Step } from './histories.js';
import { attemptsOf } from './oracle/arithmetic.js';
import { changesOf, type Fact, type OracleWorld, worldAfter } from './oracle/world.js';
import { at, CONTEXT, type RanHistory, roundIn, roundKey } from './ran-history.js';
import {
  choose,
  definitionOf,
  type EntryStep,
  roundFact,
  rulesFor,
  stepCommand,
  type UpkeepStep,
} from './step-commands.js';

const START = '2020-01-01';
const END = '2020-03-02';

/** What an entry answered, to be held against what the oracle makes of the same facts. */
export type OnEntry = (ran: RanHistory, round: RoundKey, receipt: EntryReceipt) => void;

/** Attempts for these persons; null: they only clear. */
export type EnteredRow = readonly number[] | null;

/** Before the facts of the entry hold; `refusal` null: it was taken. */
export type OnDecision = (
  ran: RanHistory,
  round: RoundKey,
  entry: { readonly rows: readonly EnteredRow[]; readonly refusal: Rejection | null },
) => void;

export interface RunnerOptions {
  /** As it is now: a restart gives another. */
  readonly commands: () => CommandBus;
  readonly upkeep: (step: UpkeepStep) => Promise<void>;
  readonly onEntry?: OnEntry;
  readonly onDecision?: OnDecision;
}

/** An entry as a command, and what it makes true. */
interface Entry {
  readonly execute: () => Promise<EntryReceipt>;
  readonly facts: readonly Fact[];
  /** None: it takes a change back. */
  readonly rows: readonly EnteredRow[];
}

export class HistoryRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get #commands(): CommandBus {
    return this.#options.commands();
  }

  /** Carries out everything; `after` is called behind each step. */
  async run(
    history: History,
    spaceId: string,
    after: (ran: RanHistory, step: number) => Promise<void>,
  ): Promise<RanHistory> {
    const ran = await this.#begin(history, spaceId);
    for (const [index, step] of history.steps.entries()) {
      await this.#take(ran, step);
      await after(ran, index);
    }
    return ran;
  }

  async #begin(history: History, spaceId: string): Promise<RanHistory> {
    const competitionIds = CONTESTS.map((type) => `${type}20`);
    const ran: RanHistory = {
      spaceId,
      competitionIds,
      personIds: [],
      facts: [],
      position: 0,
      accepted: 0,
      refused: 0,
    };
    const definitions = EVENTS.map((event, index) =>
      definitionOf(event, index, at(history.defaultFormats, index)),
    );
    await this.#commands.execute(new CreateSpace(spaceId, spaceId, definitions, CONTEXT));
    ran.facts.push(...definitions.map((definition) => ({ fact: 'event' as const, ...definition })));
    for (const timeline of history.timelines) await this.#register(ran, timeline);
    for (const index of CONTESTS.keys()) await this.#beginContest(ran, history, index);
    return ran;
  }

  async #register(ran: RanHistory, timeline: History['timelines'][number]): Promise<void> {
    const index = ran.personIds.length;
    const profile = {
      name: `Person ${index}`,
      localizedName: index === 1 ? '選手' : null,
      assocId: index % 3 === 2 ? null : `2020Pers0${index}`,
    };
    const person = { spaceId: ran.spaceId, ...profile, timeline };
    const registered = await this.#attempted(
      ran,
      this.#commands.execute(new RegisterPerson(person, CONTEXT)),
    );
    if (registered === null) return;
    const { personId } = registered;
    ran.personIds.push(personId);
    ran.facts.push({ fact: 'person', personId, ...profile, timeline });
  }

  async #beginContest(ran: RanHistory, history: History, index: number): Promise<void> {
    const contest = { spaceId: ran.spaceId, competitionId: at(ran.competitionIds, index) };
    const details = {
      name: `Contest ${index}`,
      shortName: `C ${index}`,
      type: at(CONTESTS, index),
      city: null,
      regionCode: index === 0 ? 'IE' : null,
      venue: null,
      startDate: START,
      endDate: END,
      organizerIds: [],
    };
    const rounds = EVENTS.flatMap((event) =>
      Array.from({ length: event.rounds }, (_, number) => ({ event, number })),
    );
    const planned = rounds.map(
      ({ event, number }, place): PlannedRound => ({
        eventId: event.eventId,
        roundNumber: number + 1,
        rules: rulesFor(event, at(history.rules, index * rounds.length + place)),
      }),
    );
    await this.#commands.execute(new CreateContest(contest, details, planned, CONTEXT));
    ran.facts.push({ fact: 'contest', ...contest, ...details });
    ran.facts.push(...planned.map((round) => roundFact(contest.competitionId, round)));
    await this.#commands.execute(new AnnounceContest(contest, CONTEXT));
    const { competitionId } = contest;
    ran.facts.push({ fact: 'contest-state', competitionId, state: 'ongoing' });
    const listed = at(history.lists, index);
    if (listed !== null) await this.#beginList(ran, contest, listed);
    for (const { eventId, roundNumber } of planned) {
      // With a list, a later round opens with those who advance.
      if (listed !== null && roundNumber > 1) continue;
      const opened = await this.#commands.execute(
        new OpenRound({ ...contest, eventId, roundNumber }, CONTEXT),
      );
      ran.position = opened.position;
      ran.facts.push({ fact: 'round-opened', competitionId, eventId, roundNumber });
    }
  }

  async #beginList(
    ran: RanHistory,
    contest: ContestRef,
    events: readonly (readonly string[])[],
  ): Promise<void> {
    const rows = events.map((eventIds, index) => ({
      personId: at(ran.personIds, index),
      eventIds,
      state: null,
    }));
    const named = rows.map(({ personId, eventIds }) => ({
      selector: { by: 'personId', personIds: [personId] } as const,
      number: null,
      eventIds,
    }));
    await this.#commands.execute(new RegisterCompetitors(contest, named, CONTEXT));
    ran.facts.push({ fact: 'registered', competitionId: contest.competitionId, rows });
  }

  /** The command's answer, or null when it was refused. */
  async #attempted<R extends { position: number }>(
    ran: RanHistory,
    answer: Promise<R>,
    onRefusal: (refusal: Rejection) => void = () => undefined,
  ): Promise<R | null> {
    try {
      const receipt = await answer;
      ran.accepted += 1;
      ran.position = Math.max(ran.position, receipt.position);
      return receipt;
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      ran.refused += 1;
      onRefusal(error.rejection);
      return null;
    }
  }

  async #take(ran: RanHistory, step: Step): Promise<void> {
    switch (step.step) {
      case 'restart':
      case 'replay':
        return this.#options.upkeep(step);
      case 'register':
        return this.#register(ran, step.timeline);
      case 'attempt':
      case 'results':
      case 'undo':
        return this.#enter(ran, step);
      default: {
        const { execute, facts } = stepCommand(this.#commands, ran, step);
        const receipt = await this.#attempted(ran, execute());
        if (receipt !== null) ran.facts.push(...facts);
      }
    }
  }

  async #enter(ran: RanHistory, step: EntryStep): Promise<void> {
    const round = roundKey(ran, step.round);
    const entry = this.#entry(ran, step, round);
    if (entry === null) return;
    const { rows } = entry;
    const decided = (refusal: Rejection | null): void =>
      this.#options.onDecision?.(ran, round, { rows, refusal });
    const receipt = await this.#attempted(ran, entry.execute(), decided);
    if (receipt === null) return;
    decided(null);
    ran.facts.push(...entry.facts);
    this.#options.onEntry?.(ran, round, receipt);
  }

  #entry(ran: RanHistory, step: EntryStep, round: RoundKey): Entry | null {
    const world = worldAfter(ran.facts);
    switch (step.step) {
      case 'attempt':
        return this.#attempt(step, round, { ran, world });
      case 'results':
        return this.#results(step, round, { ran, world });
      case 'undo':
        return this.#undo(step, round, world);
      default:
        return step satisfies never;
    }
  }

  #attempt(step: Extract<EntryStep, { step: 'attempt' }>, round: RoundKey, { ran, world }: Now): Entry {
    const event = at(EVENTS, step.round.event);
    const { selector, personIds } = choose(ran, world, event, step.competitor);
    const attemptNumber = 1 + (step.attemptNumber % attemptsIn(world, round));
    const value = pickedValue(event.format, step.pick);
    return {
      execute: () => this.#commands.execute(new EnterAttempt(round, selector, attemptNumber, value, CONTEXT)),
      facts: [{ fact: 'attempt', ...nameOf(round), personIds, attemptNumber, value }],
      rows: [value === 0 ? null : personIds],
    };
  }

  #results(step: Extract<EntryStep, { step: 'results' }>, round: RoundKey, { ran, world }: Now): Entry {
    const event: SmallEvent = at(EVENTS, step.round.event);
    const rows = step.rows.map(({ competitor, picks }) => ({
      ...choose(ran, world, event, competitor),
      attempts: picks.slice(0, attemptsIn(world, round)).map((pick) => pickedValue(event.format, pick)),
    }));
    const given = rows.map(({ selector, attempts }) => ({ competitor: selector, attempts }));
    return {
      execute: () => this.#commands.execute(new EnterResults(round, given, CONTEXT)),
      facts: rows.map(({ personIds, attempts }) => ({
        fact: 'result',
        ...nameOf(round),
        personIds,
        attempts,
      })),
      rows: rows.map(({ personIds, attempts }) =>
        attempts.every((value) => value === 0) ? null : personIds,
      ),
    };
  }

  /** Null where nothing was ever entered. */
  #undo(
    { nth, late }: Extract<EntryStep, { step: 'undo' }>,
    round: RoundKey,
    world: OracleWorld,
  ): Entry | null {
    const planned = roundIn(world, round);
    const resultIds = [...new Set(planned?.changes.map(({ result }) => result.resultId))];
    const resultId = resultIds[nth % resultIds.length];
    if (planned === undefined || resultId === undefined) return null;
    const change = changesOf(planned, resultId).length - (late ? 1 : 0);
    return {
      execute: () => this.#commands.execute(new UndoChange(round, resultId, change, CONTEXT)),
      facts: [{ fact: 'undone', ...nameOf(round), resultId, change }],
      rows: [],
    };
  }
}

interface Now {
  readonly ran: RanHistory;
  readonly world: OracleWorld;
}

const nameOf = ({ competitionId, eventId, roundNumber }: RoundKey) => ({
  competitionId,
  eventId,
  roundNumber,
});

/** How many attempts the round's format has by now: most entries should be good ones. */
const attemptsIn = (world: OracleWorld, key: RoundKey): number =>
  attemptsOf(roundIn(world, key)?.format ?? 'a');
