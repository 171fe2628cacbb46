/** Schedules through commands and queries: what a change needs of the contest, and how persons are followed. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import {
  MarkCompetitor,
  RegisterCompetitors,
} from '../../../../src/competition/contests/competitor-list.commands.js';
import {
  AnnounceContest,
  CreateContest,
  EndContest,
  RemoveRound,
} from '../../../../src/competition/contests/contest.commands.js';
import { ErasePerson, MergePersons } from '../../../../src/competition/persons/person.commands.js';
import { MarkRoster, OpenRound } from '../../../../src/competition/rounds/round.commands.js';
import {
  ChangeSchedule,
  type ScheduleChange,
} from '../../../../src/competition/schedule/schedule.commands.js';
import {
  GetCalendar,
  GetCompetitorSchedule,
  GetGroups,
  GetNowAndNext,
  GetSchedule,
  GetWholeSchedule,
} from '../../../../src/competition/schedule/schedule.queries.js';
import type { ContestRef } from '../../../../src/domain/references.js';
import { CONTEST, CONTEXT, openContestCore, planned, at as round } from '../../../support/contest-world.js';
import { outcomeOf } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import {
  ACTIVITIES,
  activity,
  at,
  CLOCK,
  FINAL,
  GROUP_1,
  GROUP_2,
  MAIN,
  ROUND,
  SIDE,
  VENUE,
} from '../../../support/schedule-world.js';
import { DETAILS, SPACE } from '../../../support/small-world.js';

const core = openForEach(openContestCore);

const [ANN, BOB, CEM, DEE] = [1, 2, 3, 4];

const change = async (given: ScheduleChange, contest: ContestRef = CONTEST): Promise<void> => {
  const { position } = await core().execute(new ChangeSchedule(contest, given, CONTEXT));
  await core().shown(position);
};
const refused = (given: ScheduleChange, contest: ContestRef = CONTEST) =>
  core().refusal(new ChangeSchedule(contest, given, CONTEXT));

const register = async (
  ...rows: readonly (readonly [personId: number, number: number, ...eventIds: string[]])[]
) => {
  const competitors = rows.map(([personId, number, ...eventIds]) => ({
    selector: { by: 'personId' as const, personIds: [personId] },
    number,
    eventIds,
  }));
  const { position } = await core().execute(new RegisterCompetitors(CONTEST, competitors, CONTEXT));
  await core().shown(position);
};
const assign = (activityId: number, personId: number, role = 'competitor', station: number | null = null) =>
  change({ type: 'Assign', activityId, personIds: [personId], role, station });
const fill = (code: string): ScheduleChange => ({
  type: 'AssignGroups',
  code,
  stations: null,
  judges: false,
});

/** `code number name role station` of each person. */
const groups = async (code: string): Promise<readonly string[]> =>
  (await core().query(new GetGroups(CONTEST, code))).flatMap((group) => [
    group.code,
    ...group.persons.map(
      ({ number, person, role, station }) => `${number} ${person.name} ${role} ${station}`,
    ),
  ]);

beforeEach(() =>
  change({
    type: 'ReplaceSchedule',
    venues: [VENUE],
    rooms: [MAIN, SIDE],
    activities: ACTIVITIES,
    assignments: [],
  }),
);

describe('a change', () => {
  const lunch: ScheduleChange = {
    type: 'SetActivity',
    activityId: null,
    roomId: 1,
    parentId: null,
    code: 'other-lunch',
    name: 'Lunch',
    start: at('13:00'),
    end: at('14:00'),
  };

  it('needs a contest that is not deleted', async () => {
    const nowhere = { ...CONTEST, competitionId: 'none' };
    expect(await refused(lunch, nowhere)).toMatchObject({ code: 'contest-not-found' });
    const { position } = await core().execute(new EndContest(CONTEST, 'delete', CONTEXT));
    await core().shown(position);
    expect(await refused(lunch)).toMatchObject({ code: 'contest-not-found' });
    expect(await outcomeOf(core().query(new GetSchedule(CONTEST)))).toBe('contest-not-found');
    expect((await core().query(new GetSchedule(CONTEST, true))).venues).toHaveLength(1);
  });

  it('of a round needs the round in the plan; a round that leaves the plan leaves its activities', async () => {
    const third = { ...lunch, code: 'cube-r3' };
    expect(await refused(third)).toMatchObject({ code: 'round-not-found' });
    await core().execute(new RemoveRound(CONTEST, 'cube', 2, CONTEXT));
    expect(await refused({ ...lunch, code: 'cube-r2' })).toMatchObject({ code: 'round-not-found' });
    await change({ ...lunch, ...FINAL, name: 'Cancelled final', activityId: FINAL.activityId });
    const { venues } = await core().query(new GetSchedule(CONTEST));
    expect(venues[0]?.rooms[0]?.activities.map(({ name }) => name)).toContain('Cancelled final');
  });

  it('is made while a contest is a draft, which nobody else sees', async () => {
    const draft = { spaceId: SPACE, competitionId: 'Draft' };
    await core().execute(new CreateContest(draft, DETAILS, [planned('cube', 1)], CONTEXT));
    await change({ type: 'SetVenue', venueId: null, venue: VENUE }, draft);
    expect(await outcomeOf(core().query(new GetSchedule(draft)))).toBe('contest-not-found');
    expect(await core().query(new GetSchedule(draft, true))).toMatchObject({ venues: [{ rooms: [] }] });
    const { position } = await core().execute(new AnnounceContest(draft, CONTEXT));
    await core().shown(position);
    expect(await core().query(new GetSchedule(draft))).toMatchObject({ venues: [{ venueId: 1 }] });
  });
});

describe('assignments', () => {
  it('are of persons on the competitor list', async () => {
    const to = (personId: number): ScheduleChange => ({
      type: 'Assign',
      activityId: 2,
      role: 'competitor',
      station: null,
      personIds: [personId],
    });
    expect(await refused(to(ANN))).toMatchObject({
      code: 'not-registered',
      errors: [{ field: 'personIds[0]' }],
    });
    expect(await refused(to(99))).toMatchObject({ code: 'person-not-found' });
    await register([ANN, 7, 'cube']);
    await assign(2, ANN, 'competitor', 3);
    await assign(3, ANN, 'staff-judge');
    expect(await groups('cube-r1')).toEqual([
      'cube-r1-g1',
      '7 Ann competitor 3',
      'cube-r1-g2',
      '7 Ann staff-judge null',
    ]);
    expect(await groups('other-dinner')).toEqual([]);
  });

  it('of a whole schedule leave out who is not on the list', async () => {
    await register([ANN, 7, 'cube']);
    const assignments = [
      {
        activityId: 2,
        role: 'competitor',
        persons: [
          [ANN, null],
          [BOB, 2],
        ] as const,
      },
    ];
    const whole = { venues: [VENUE], rooms: [MAIN, SIDE], activities: ACTIVITIES, assignments };
    await change({ type: 'ReplaceSchedule', ...whole });
    const shown = await core().query(new GetWholeSchedule(CONTEST));
    expect(shown).toMatchObject({ ...whole, assignments: [{ activityId: 2, person: { id: ANN } }] });
  });

  it('hide who withdraws, and show those who come back', async () => {
    await register([ANN, 7, 'cube'], [BOB, 8, 'cube']);
    await assign(2, ANN);
    const mark = new MarkCompetitor(CONTEST, ANN, 'WithdrawCompetitor', CONTEXT);
    await core().shown((await core().execute(mark)).position);
    expect(await groups('cube-r1')).toEqual(['cube-r1-g1', 'cube-r1-g2']);
    expect(await outcomeOf(core().query(new GetCompetitorSchedule(CONTEST, 7)))).toBe('person-not-found');
    await register([ANN, 7, 'cube']);
    expect(await groups('cube-r1')).toEqual(['cube-r1-g1', '7 Ann competitor null', 'cube-r1-g2']);
  });

  it('follow a merge, under both numbers', async () => {
    await register([ANN, 7, 'cube'], [CEM, 9, 'cube']);
    await assign(2, CEM);
    await assign(3, ANN, 'staff-judge');
    const { position } = await core().execute(new MergePersons(CEM, ANN, CONTEXT));
    await core().shown(position);
    expect(await groups('cube-r1')).toEqual([
      'cube-r1-g1',
      '7 Ann competitor null',
      'cube-r1-g2',
      '7 Ann staff-judge null',
    ]);
    for (const number of [7, 9]) {
      const own = await core().query(new GetCompetitorSchedule(CONTEST, number));
      expect([own.number, own.person.id]).toEqual([7, ANN]);
      expect(own.appointments.map(({ code, role }) => `${code} ${role}`)).toEqual([
        'cube-r1-g1 competitor',
        'cube-r1-g2 staff-judge',
      ]);
    }
    await assign(3, ANN);
    expect(await groups('cube-r1')).toEqual([
      'cube-r1-g1',
      'cube-r1-g2',
      '7 Ann competitor null',
      '7 Ann staff-judge null',
    ]);
    await change({ type: 'Unassign', activityId: 3, personId: CEM });
    expect(await groups('cube-r1')).toEqual(['cube-r1-g1', 'cube-r1-g2']);
  });

  it('stay when a person is erased, without the name', async () => {
    await register([ANN, 7, 'cube']);
    await assign(2, ANN);
    await core().shown((await core().execute(new ErasePerson(ANN, CONTEXT))).position);
    expect(await groups('cube-r1')).toEqual(['cube-r1-g1', '7 — competitor null', 'cube-r1-g2']);
  });
});

describe('the groups of a round', () => {
  it('are filled with those registered for it, by number', async () => {
    await register([ANN, 9, 'clock'], [BOB, 8, 'clock'], [CEM, 7, 'clock'], [DEE, 6, 'cube']);
    const split: ScheduleChange = { type: 'SplitActivity', activityId: CLOCK.activityId, groups: 2 };
    await change(split);
    await change(fill('clock-r1'));
    expect(await groups('clock-r1')).toEqual([
      'clock-r1-g1',
      '7 Cem competitor null',
      '9 Ann competitor null',
      'clock-r1-g2',
      '8 Bob competitor null',
    ]);
  });

  it('are filled with its roster once it is open, without those who quit', async () => {
    await register([ANN, 7, 'cube'], [BOB, 8, 'cube']);
    // Round 1 was opened before the contest had a list, so round 2 has a roster by hand.
    await core().execute(new OpenRound(round('cube', 2), CONTEXT, [[ANN], [BOB]]));
    const marks = [{ personIds: [BOB], mark: 'quit' as const }];
    await core().execute(new MarkRoster(round('cube', 2), marks, CONTEXT));
    await change(fill('cube-r2'));
    expect(await groups('cube-r2')).toEqual(['cube-r2', '7 Ann competitor null']);
  });

  it('cannot be filled before it is known who competes', async () => {
    await register([ANN, 7, 'cube']);
    expect(await refused(fill('cube-r2'))).toMatchObject({ code: 'schedule' });
    expect(await refused(fill('cube-r9'))).toMatchObject({ code: 'round-not-found' });
    expect(await refused(fill('other-lunch'))).toMatchObject({ code: 'round-not-found' });
  });
});

describe('the day', () => {
  it('shows what goes on, what is next and how late it is', async () => {
    await change({ type: 'StartActivity', activityId: GROUP_1.activityId, at: at('09:10') });
    expect(await core().query(new GetNowAndNext(CONTEST, at('09:20')))).toMatchObject([
      {
        name: 'Main stage',
        timeZone: 'Europe/Dublin',
        now: [{ activityId: ROUND.activityId }],
        groups: [{ activityId: GROUP_1.activityId }],
        next: { activityId: 4, expectedStart: at('10:10') },
        late: 10,
      },
      { name: 'Side stage', now: [], next: { activityId: 6 }, late: 0 },
    ]);
  });
});

describe('the calendar', () => {
  const events = async (number: number | null) => {
    const calendar = new ICAL.Component(ICAL.parse(await core().query(new GetCalendar(CONTEST, number))));
    return calendar.getAllSubcomponents('vevent').map((component) => {
      const { uid, sequence, summary, startDate, location } = new ICAL.Event(component);
      return { uid, sequence, summary, location, start: startDate.toString() };
    });
  };

  it('has the whole activities of a contest, with their place', async () => {
    const all = await events(null);
    expect(all.map(({ summary }) => summary)).toEqual(
      [ROUND, ACTIVITIES[3], FINAL, CLOCK].map(({ name }) => name),
    );
    expect(all[0]).toMatchObject({
      uid: 'default.C.1@podium',
      location: 'Main stage, Town Hall, 1 Main Street, Cork',
      start: '2026-06-13T09:00:00Z',
    });
  });

  it('has the groups and duties of one competitor', async () => {
    await register([ANN, 7, 'cube']);
    await assign(2, ANN, 'competitor', 3);
    await assign(3, ANN, 'staff-judge');
    expect(await events(7)).toMatchObject([
      { uid: 'default.C.2.competitor@podium', summary: GROUP_1.name },
      { uid: 'default.C.3.staff-judge@podium', summary: `${GROUP_2.name} (judge)` },
    ]);
    expect(await outcomeOf(core().query(new GetCalendar(CONTEST, 8)))).toBe('person-not-found');
  });

  it('keeps the ids of events, and raises the sequence of those that change', async () => {
    const before = await events(null);
    await change({ type: 'DelayRooms', roomId: null, from: 4, minutes: 20, at: at('09:00') });
    const later = await events(null);
    const raised = later.map((event, index) => event.sequence > (before[index]?.sequence ?? 0));
    expect(later.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid));
    // The room is late; the other room is not.
    expect(raised).toEqual([true, true, true, false]);
    expect(later.map(({ start }) => start)).toEqual([
      '2026-06-13T09:00:00Z',
      '2026-06-13T10:20:00Z',
      '2026-06-13T11:20:00Z',
      '2026-06-13T10:00:00Z',
    ]);
    const { activityId, ...clock } = CLOCK;
    await change({ type: 'SetActivity', activityId, ...clock, roomId: 1 });
    const moved = (await events(null)).find(({ uid }) => uid === 'default.C.6@podium');
    expect(moved?.sequence).toBeGreaterThan(Math.max(...later.map(({ sequence }) => sequence)));
  });

  it('changes with nothing that it does not show', async () => {
    const before = await events(null);
    await change({ type: 'SetActivity', activityId: null, ...activityFields(), parentId: null });
    expect((await events(null)).filter(({ uid }) => uid !== 'default.C.7@podium')).toEqual(before);
  });
});

const activityFields = () => {
  const { activityId: _, ...fields } = activity(7, 'other-dinner', ['18:00', '19:00'], { roomId: 2 });
  return fields;
};
