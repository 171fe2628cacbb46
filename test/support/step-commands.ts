/**
 * How the plain data of a history becomes the server's commands and the oracle's facts, side by side, so that both
 * are told the same.
 */

import type { CommandBus } from '@nestjs/cqrs';
import type { PlannedRound } from '../../src/competition/aggregates/contest/contest.js';
import { DefineEvent } from '../../src/competition/aggregates/space/space.commands.js';
import type { EventDefinition } from '../../src/competition/aggregates/space/space.events.js';
import {
  EditContest,
  EndContest,
  KeepOpaqueParts,
  PlanRound,
  RemoveRound,
  ReopenContest,
} from '../../src/competition/contests/contest.commands.js';
import { ChangeScreens } from '../../src/competition/hall/screens.commands.js';
import { DEFAULT_SCREEN } from '../../src/competition/hall/screens.decider.js';
import { IssueKey } from '../../src/competition/keys/key.commands.js';
import {
  CorrectRegion,
  EditPerson,
  ErasePerson,
  MergePersons,
  MovePerson,
} from '../../src/competition/persons/person.commands.js';
import { ChangeRound, OpenRound } from '../../src/competition/rounds/round.commands.js';
import { ChangeSchedule } from '../../src/competition/schedule/schedule.commands.js';
import type { CompetitorSelector } from '../../src/domain/references.js';
import { type CompetitorChoice, EVENTS, type SmallEvent, type SmallRules, type Step } from './histories.js';
import type { OracleAdvancement } from './oracle/advancement.js';
import { attemptsOf, type OracleCutoff, type OracleRoundFormat } from './oracle/arithmetic.js';
import type { Fact, OracleWorld } from './oracle/world.js';
import { at, CONTEXT, personAt, type RanHistory, roundKey, type StepCommand } from './ran-history.js';
import { referenceCommand } from './reference-steps.js';
import { listCommand, rosterCommand } from './roster-commands.js';

export const definitionOf = (
  { eventId, format, participants }: SmallEvent,
  rank: number,
  defaultRoundFormat: OracleRoundFormat,
): EventDefinition => ({
  eventId,
  name: eventId,
  category: 'small',
  rank,
  format,
  defaultRoundFormat: formatFor(format, defaultRoundFormat),
  participants,
  description: null,
});

/** Multi events have no averages, so they are best of n. */
const formatFor = (valueFormat: SmallEvent['format'], format: OracleRoundFormat): OracleRoundFormat => {
  if (valueFormat !== 'multi') return format;
  return format === 'a' ? '5' : format === 'm' ? '3' : format;
};

/** Values are drawn as times; a count and a multi value of about the same rank take their place. */
const valueFor = ({ format }: SmallEvent, time: number): number =>
  ({ time, number: time - 975, multi: 998_100_300_000_000 })[format];

const cutoffFor = (
  event: SmallEvent,
  { cutoff }: SmallRules,
  format: OracleRoundFormat,
): OracleCutoff | null => {
  if (cutoff === null || cutoff.numberOfAttempts >= attemptsOf(format)) return null;
  const { numberOfAttempts, attemptResult } = cutoff;
  return { numberOfAttempts, attemptResult: valueFor(event, attemptResult) };
};

const advancementFor = (
  event: SmallEvent,
  { advancement }: SmallRules,
  format: OracleRoundFormat,
): OracleAdvancement | null => {
  if (advancement?.type !== 'value') return advancement;
  const isMean = event.format === 'number' && (format === 'a' || format === 'm');
  return { type: 'value', value: valueFor(event, advancement.value) * (isMean ? 100 : 1) };
};

export const rulesFor = (event: SmallEvent, rules: SmallRules): PlannedRound['rules'] => {
  const format = formatFor(event.format, rules.format);
  const limited = event.format === 'time' && rules.timeLimit !== null;
  return {
    format,
    date: rules.date,
    cutoff: cutoffFor(event, rules, format),
    advancement: advancementFor(event, rules, format),
    timeLimit: limited ? { centiseconds: rules.timeLimit, cumulativeRounds: [] } : null,
  };
};

export const roundFact = (competitionId: string, { eventId, roundNumber, rules }: PlannedRound): Fact => ({
  fact: 'round',
  competitionId,
  eventId,
  roundNumber,
  ...rules,
});

/** The selector of the request, and the persons that it names: association ids are looked up in the oracle's world, without case. */
export const choose = (
  ran: RanHistory,
  world: OracleWorld,
  event: SmallEvent,
  choice: CompetitorChoice,
): { readonly selector: CompetitorSelector; readonly personIds: readonly number[] } => {
  const personIds = choice.persons.slice(0, event.participants).map((index) => personAt(ran, index));
  const assocIds = personIds.flatMap(
    (personId) => world.persons.get(personId)?.profile?.assocId?.toLowerCase() ?? [],
  );
  const anyMerged = personIds.some((personId) => world.persons.get(personId)?.mergedInto !== null);
  if (choice.by === 'personId' || anyMerged || assocIds.length < personIds.length) {
    return { selector: { by: 'personId', personIds }, personIds };
  }
  return { selector: { by: 'assocId', assocIds }, personIds };
};

export type EntryStep = Extract<Step, { step: 'attempt' | 'results' | 'undo' }>;
/** What an operator does, which changes nothing. */
export type UpkeepStep = Extract<Step, { step: 'restart' | 'replay' }>;
export type OtherStep = Exclude<Step, EntryStep | UpkeepStep | { step: 'register' }>;

export const stepCommand = (commands: CommandBus, ran: RanHistory, step: OtherStep): StepCommand => {
  switch (step.step) {
    case 'plan':
    case 'open':
    case 'close':
    case 'unplan':
      return roundCommand(commands, ran, step);
    case 'register-competitor':
    case 'replace-list':
    case 'check-in':
    case 'withdraw':
      return listCommand(commands, ran, step);
    case 'mark':
    case 'advance':
    case 'undo-opening':
      return rosterCommand(commands, ran, step);
    case 'references':
    case 'bests':
      return referenceCommand(commands, ran, step);
    case 'key': {
      const contest = { spaceId: ran.spaceId, competitionId: at(ran.competitionIds, step.contest) };
      return { execute: () => commands.execute(new IssueKey(contest, 'timer', CONTEXT)), facts: [] };
    }
    case 'opaque': {
      const contest = { spaceId: ran.spaceId, competitionId: at(ran.competitionIds, step.contest) };
      const results = step.persons.map((person, index) => ({
        ...{ personIds: [personAt(ran, person)], place: index + 1, attempts: [1 + index] },
        ...{ best: 1 + index, average: null },
      }));
      const round = {
        ...{ eventId: at(EVENTS, step.event).eventId, roundNumber: 9, format: 'h' as const },
        ...{ date: null, results },
      };
      const parts = { rounds: [round], participation: [] };
      return { execute: () => commands.execute(new KeepOpaqueParts(contest, parts, CONTEXT)), facts: [] };
    }
    case 'schedule': {
      const contest = { spaceId: ran.spaceId, competitionId: at(ran.competitionIds, step.contest) };
      const change = { type: 'SetVenue', venueId: null, venue: venueIn(step.timeZone) } as const;
      return { execute: () => commands.execute(new ChangeSchedule(contest, change, CONTEXT)), facts: [] };
    }
    case 'screen': {
      const contest = { spaceId: ran.spaceId, competitionId: at(ran.competitionIds, step.contest) };
      const screen = { ...DEFAULT_SCREEN, seconds: step.seconds };
      const change = { type: 'SetScreen', screen } as const;
      return { execute: () => commands.execute(new ChangeScreens(contest, change, CONTEXT)), facts: [] };
    }
    case 'edit':
    case 'finish':
    case 'reopen':
    case 'delete':
      return contestCommand(commands, ran, step);
    case 'default-format': {
      const definition = definitionOf(at(EVENTS, step.event), step.event, step.format);
      return {
        execute: () => commands.execute(new DefineEvent(ran.spaceId, definition, CONTEXT)),
        facts: [{ fact: 'event', ...definition }],
      };
    }
    default:
      return personCommand(commands, ran, step);
  }
};

const venueIn = (timeZone: string) => ({
  name: 'Hall',
  address: null,
  regionCode: null,
  latitudeMicrodegrees: null,
  longitudeMicrodegrees: null,
  timeZone,
});

const roundCommand = (
  commands: CommandBus,
  ran: RanHistory,
  step: Extract<Step, { step: 'plan' | 'open' | 'close' | 'unplan' }>,
): StepCommand => {
  const key = roundKey(ran, step.round);
  const { spaceId, competitionId, eventId, roundNumber } = key;
  switch (step.step) {
    case 'open':
      return {
        execute: () => commands.execute(new OpenRound(key, CONTEXT)),
        facts: [
          { fact: 'contest-state', competitionId, state: 'ongoing' },
          { fact: 'round-opened', competitionId, eventId, roundNumber },
        ],
      };
    case 'close':
      return {
        execute: () => commands.execute(new ChangeRound(key, { type: 'CloseRound' }, CONTEXT)),
        facts: [{ fact: 'round-closed', competitionId, eventId, roundNumber }],
      };
    case 'unplan':
      return {
        execute: () =>
          commands.execute(new RemoveRound({ spaceId, competitionId }, eventId, roundNumber, CONTEXT)),
        facts: [{ fact: 'round-removed', competitionId, eventId, roundNumber }],
      };
    case 'plan': {
      const planned = { eventId, roundNumber, rules: rulesFor(at(EVENTS, step.round.event), step.rules) };
      return {
        execute: () => commands.execute(new PlanRound({ spaceId, competitionId }, planned, CONTEXT)),
        facts: [roundFact(competitionId, planned)],
      };
    }
  }
};

const contestCommand = (
  commands: CommandBus,
  ran: RanHistory,
  step: Extract<Step, { step: 'edit' | 'finish' | 'reopen' | 'delete' }>,
): StepCommand => {
  const competitionId = at(ran.competitionIds, step.contest);
  const contest = { spaceId: ran.spaceId, competitionId };
  const state = (to: 'finished' | 'ongoing' | 'deleted'): Fact[] => [
    { fact: 'contest-state', competitionId, state: to },
  ];
  switch (step.step) {
    case 'edit':
      return {
        execute: () => commands.execute(new EditContest(contest, step.change, CONTEXT)),
        facts: [{ fact: 'contest-edited', competitionId, change: step.change }],
      };
    case 'finish':
      return {
        execute: () => commands.execute(new EndContest(contest, 'finish', CONTEXT)),
        facts: state('finished'),
      };
    case 'delete':
      return {
        execute: () => commands.execute(new EndContest(contest, 'delete', CONTEXT)),
        facts: state('deleted'),
      };
    case 'reopen':
      return {
        execute: () => commands.execute(new ReopenContest(contest, CONTEXT)),
        facts: state('ongoing'),
      };
  }
};

const personCommand = (
  commands: CommandBus,
  ran: RanHistory,
  step: Extract<Step, { step: 'move' | 'correct' | 'profile' | 'merge' | 'erase' }>,
): StepCommand => {
  switch (step.step) {
    case 'move': {
      const personId = personAt(ran, step.person);
      const { from, regionCode } = step;
      return {
        execute: () => commands.execute(new MovePerson(personId, from, regionCode, CONTEXT)),
        facts: [{ fact: 'moved', personId, from, regionCode }],
      };
    }
    case 'correct': {
      const personId = personAt(ran, step.person);
      return {
        execute: () => commands.execute(new CorrectRegion(personId, step.timeline, CONTEXT)),
        facts: [{ fact: 'region-corrected', personId, timeline: step.timeline }],
      };
    }
    case 'profile': {
      const personId = personAt(ran, step.person);
      const { change } = step;
      return {
        execute: () => commands.execute(new EditPerson(personId, change, CONTEXT)),
        facts: [{ fact: 'profile', personId, change }],
      };
    }
    case 'merge': {
      const from = personAt(ran, step.from);
      const into = personAt(ran, step.into);
      return {
        execute: () => commands.execute(new MergePersons(from, into, CONTEXT)),
        facts: [{ fact: 'merged', from, into }],
      };
    }
    case 'erase': {
      const personId = personAt(ran, step.person);
      return {
        execute: () => commands.execute(new ErasePerson(personId, CONTEXT)),
        facts: [{ fact: 'erased', personId }],
      };
    }
  }
};
