/** How steps on competitor lists, rosters and advancement become the server's commands and the oracle's facts. */
import type { CommandBus } from '@nestjs/cqrs';
import {
  MarkCompetitor,
  RegisterCompetitors,
  ReplaceCompetitors,
} from '../../src/competition/contests/competitor-list.commands.js';
import { AdvanceRound, MarkRoster, UndoOpening } from '../../src/competition/rounds/round.commands.js';
import { CONFIRMATIONS } from '../../src/domain/advancement-plan.js';
import type { RoundKey } from '../../src/domain/references.js';
import { EVENTS, type Step } from './histories.js';
import { oraclePlan } from './oracle/roster-views.js';
import { type OracleWorld, worldAfter } from './oracle/world.js';
import {
  at,
  CONTEXT,
  personAt,
  type RanHistory,
  roundIn,
  roundKey,
  type StepCommand,
} from './ran-history.js';

const selectorOf = (personId: number) => ({ by: 'personId', personIds: [personId] }) as const;

export const listCommand = (
  commands: CommandBus,
  ran: RanHistory,
  step: Extract<Step, { step: 'register-competitor' | 'replace-list' | 'check-in' | 'withdraw' }>,
): StepCommand => {
  const competitionId = at(ran.competitionIds, step.contest);
  const contest = { spaceId: ran.spaceId, competitionId };
  switch (step.step) {
    case 'register-competitor': {
      const { eventIds } = step;
      const personId = personAt(ran, step.person);
      const row = { selector: selectorOf(personId), number: null, eventIds };
      return {
        execute: () => commands.execute(new RegisterCompetitors(contest, [row], CONTEXT)),
        facts: [{ fact: 'registered', competitionId, rows: [{ personId, eventIds, state: null }] }],
      };
    }
    case 'replace-list': {
      const rows = step.rows.map(({ person, eventIds, state }) => ({
        personId: personAt(ran, person),
        eventIds,
        state,
      }));
      const named = rows.map(({ personId, ...row }) => ({
        ...row,
        selector: selectorOf(personId),
        number: null,
      }));
      return {
        execute: () => commands.execute(new ReplaceCompetitors(contest, named, null, CONTEXT)),
        facts: [{ fact: 'list-replaced', competitionId, rows }],
      };
    }
    case 'check-in':
    case 'withdraw': {
      const personId = personAt(ran, step.person);
      const isCheckIn = step.step === 'check-in';
      const command = new MarkCompetitor(
        contest,
        personId,
        isCheckIn ? 'CheckInCompetitor' : 'WithdrawCompetitor',
        CONTEXT,
      );
      return {
        execute: () => commands.execute(command),
        facts: [{ fact: isCheckIn ? 'checked-in' : 'withdrawn', competitionId, personId }],
      };
    }
  }
};

export const rosterCommand = (
  commands: CommandBus,
  ran: RanHistory,
  step: Extract<Step, { step: 'mark' | 'advance' | 'undo-opening' }>,
): StepCommand => {
  const key = roundKey(ran, step.round);
  const { competitionId, eventId, roundNumber } = key;
  const name = { competitionId, eventId, roundNumber };
  switch (step.step) {
    case 'mark': {
      const { participants } = at(EVENTS, step.round.event);
      const personIds = step.persons.slice(0, participants).map((index) => personAt(ran, index));
      const { mark } = step;
      return {
        execute: () => commands.execute(new MarkRoster(key, [{ personIds, mark }], CONTEXT)),
        facts: [{ fact: 'marked', ...name, personIds, mark }],
      };
    }
    case 'advance': {
      const competitors = advancingOf(worldAfter(ran.facts), key, step);
      return {
        execute: () => commands.execute(new AdvanceRound(key, competitors, CONFIRMATIONS, CONTEXT)),
        facts: [{ fact: 'advanced', ...name, competitors }],
      };
    }
    case 'undo-opening':
      return {
        execute: () => commands.execute(new UndoOpening(key, CONTEXT)),
        facts: [{ fact: 'opening-undone', ...name }],
      };
  }
};

/** Whom a moderator would choose, who leaves one out and takes some more. */
const advancingOf = (
  world: OracleWorld,
  key: RoundKey,
  { without, plus }: Pick<Extract<Step, { step: 'advance' }>, 'without' | 'plus'>,
): readonly (readonly number[])[] => {
  const round = roundIn(world, key);
  if (round === undefined) return [];
  if (round.advanced !== null && without > 0) return round.advanced;
  const { competitors, line } = oraclePlan(world, round);
  const more = round.advancement === null ? 2 : plus;
  return [...competitors.filter((_, index) => index + 1 !== without), ...line.slice(0, more)].map(
    ({ personIds }) => personIds,
  );
};
