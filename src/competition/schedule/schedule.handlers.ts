/**
 * Changes schedules. What a decision needs of the contest and of its rounds is read from their streams, again after each
 * conflict.
 */
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseActivityCode } from '../../domain/activity-codes.js';
import { roundCode } from '../../domain/attempts.js';
import type { ContestRef } from '../../domain/references.js';
import { isRegisteredFor } from '../../domain/registrations.js';
import { RejectedError, type RejectionCode } from '../../domain/rejections.js';
import { isGone } from '../../domain/roster.js';
import { type Receipt, receiptOf } from '../../foundation/aggregates/outcome.js';
import { united } from '../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import { requireFound } from '../aggregates/person/competitors.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import { CompetitorCommandHandler } from '../persons/competitor-command.handler.js';
import type { AssignedIds, Unit } from './assignments.decider.js';
import { ChangeSchedule, type ScheduleChange } from './schedule.commands.js';
import { type ScheduleCommand, scheduleAggregate } from './schedule.decider.js';
import type { Assignments } from './schedule.events.js';

const refuse = (code: RejectionCode, detail: string): never => {
  throw new RejectedError({ code, detail });
};

@CommandHandler(ChangeSchedule)
export class ChangeScheduleHandler
  extends CompetitorCommandHandler
  implements ICommandHandler<ChangeSchedule>
{
  async execute({ contest, change, context }: ChangeSchedule): Promise<Receipt> {
    const command = (): Promise<ScheduleCommand> => this.#commandOf(contest, change);
    return receiptOf(await this.aggregates.execute(scheduleAggregate, contest, command, context));
  }

  async #commandOf(contest: ContestRef, change: ScheduleChange): Promise<ScheduleCommand> {
    const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    if (state.phase === 'none' || state.phase === 'deleted')
      return refuse('contest-not-found', `there is no contest ${contest.competitionId}`);
    switch (change.type) {
      case 'SetActivity':
        return { ...change, planned: new Set(state.rounds.keys()) };
      case 'Assign': {
        const { personIds, ...rest } = change;
        const persons = await this.#identified(contest, personIds);
        for (const [index, person] of persons.entries()) requireListed(person, `personIds[${index}]`, state);
        return { ...rest, persons };
      }
      case 'Unassign': {
        const { personId, ...rest } = change;
        const [person] = await this.#identified(contest, [personId]);
        return { ...rest, person: person ?? { personId, ids: [personId] } };
      }
      case 'AssignGroups':
        return { ...change, units: await this.#unitsOf(contest, change.code, state) };
      case 'ReplaceSchedule':
        return { ...change, assignments: await this.#listed(contest, change.assignments, state) };
      default:
        return change;
    }
  }

  /** Leaves out persons who are not on the list. */
  async #listed(
    { spaceId }: ContestRef,
    assignments: readonly Assignments[],
    state: ContestState,
  ): Promise<readonly Assignments[]> {
    const listed = new Set<number>();
    for (const personId of new Set(assignments.flatMap(({ persons }) => persons.map(([id]) => id))))
      if (isListed(await this.competitors.idsOf(spaceId, personId), state)) listed.add(personId);
    return assignments.map((each) => ({
      ...each,
      persons: each.persons.filter(([personId]) => listed.has(personId)),
    }));
  }

  /** With all ids that the persons have had. Throws RejectedError `person-not-found`. */
  async #identified({ spaceId }: ContestRef, personIds: readonly number[]): Promise<readonly AssignedIds[]> {
    const found = await this.competitors.resolve(
      spaceId,
      personIds.map((personId) => ({ by: 'personId', personIds: [personId] }) as const),
    );
    requireFound(found, (index) => `personIds[${index}]`);
    const persons: AssignedIds[] = [];
    for (const each of found) {
      const [personId] = 'personIds' in each ? each.personIds : [];
      if (personId !== undefined)
        persons.push({ personId, ids: await this.competitors.idsOf(spaceId, personId) });
    }
    return persons;
  }

  /** The competitors of a round, in the order of their numbers; a team in that of its first member. */
  async #unitsOf(contest: ContestRef, code: string, state: ContestState): Promise<readonly Unit[]> {
    const round = parseActivityCode(code);
    if (round === null) return refuse('round-not-found', `${code.slice(0, 100)} names no round`);
    const planned = state.rounds.get(roundCode(round));
    if (planned === undefined)
      return refuse('round-not-found', `the contest has no round ${round.roundNumber} of ${round.eventId}`);
    const { eventId, roundNumber } = planned;
    const key = { ...contest, eventId, roundNumber };
    const { state: entered } = await this.aggregates.load(roundAggregate, key, { fresh: true });
    const members =
      entered.roster === null
        ? roundNumber === 1
          ? [...state.registrations].flatMap(([personId, each]) =>
              isRegisteredFor(each, eventId) ? [[personId]] : [],
            )
          : refuse('schedule', `who competes in round ${roundNumber} is known when it is open`)
        : [...entered.roster.values()].flatMap((entry) => (isGone(entry) ? [] : [entry.personIds]));
    const units: Unit[] = [];
    for (const personIds of members) units.push(await this.#identified(contest, personIds));
    const numberOf = (unit: Unit): number =>
      Math.min(
        ...unit.flatMap(({ ids }) =>
          ids.map((id) => state.competitorNumbers.get(id) ?? Number.MAX_SAFE_INTEGER),
        ),
      );
    return units
      .map((unit) => ({ unit, number: numberOf(unit) }))
      .sort((a, b) => a.number - b.number)
      .map(({ unit }) => unit);
  }
}

const isListed = (ids: readonly number[], state: ContestState): boolean =>
  (united(state, ids)?.state ?? 'dropped') !== 'dropped';

const requireListed = ({ personId, ids }: AssignedIds, field: string, state: ContestState): void => {
  if (isListed(ids, state)) return;
  const message = `person ${personId} is not on the competitor list`;
  throw new RejectedError({
    code: 'not-registered',
    detail: message,
    errors: [{ field, rule: 'not-registered', message }],
  });
};
