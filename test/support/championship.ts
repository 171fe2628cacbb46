/** A contest of the size of a championship: 600 competitors who are registered for 17 events, the first of which is open. */
import type { CommandBus } from '@nestjs/cqrs';
import { DefineEvent } from '../../src/competition/aggregates/space/space.commands.js';
import { RegisterCompetitors } from '../../src/competition/contests/competitor-list.commands.js';
import { AnnounceContest, CreateContest } from '../../src/competition/contests/contest.commands.js';
import { RegisterPerson } from '../../src/competition/persons/person.commands.js';
import { OpenRound } from '../../src/competition/rounds/round.commands.js';
import { OFFICIAL_EVENTS } from '../../src/competition/spaces/catalogue.js';
import { CONTEXT, SPACE } from './api-world.js';

export const CHAMPIONSHIP = 'Worlds2026';
export const COMPETITORS = 600;

const FIRST = ['Aoife', 'Bjørn', 'Chloé', 'Dmitri', 'Eva', 'Farid', 'Grace', 'Hiro', 'Inés', 'João'];
const LAST = [
  'Byrne',
  'Çelik',
  'Dvořák',
  'Eriksen',
  'Fernández',
  'Grünwald',
  'Hernández',
  'Ito',
  'Jansen',
  'Kowalski',
];

/** Names differ, and each is among many that begin alike. */
const nameOf = (index: number): string =>
  `${FIRST[index % 10]} ${LAST[Math.floor(index / 10) % 10]} ${String.fromCharCode(65 + Math.floor(index / 100))}.`;

/** The position of the last command. */
export const makeChampionship = async (commands: CommandBus): Promise<number> => {
  const contest = { spaceId: SPACE, competitionId: CHAMPIONSHIP };
  const events = OFFICIAL_EVENTS.slice(0, 17);
  for (const event of events)
    if (event.eventId !== '333') await commands.execute(new DefineEvent(SPACE, event, CONTEXT));
  const details = {
    ...{
      name: 'Worlds 2026',
      shortName: 'Worlds',
      type: 'competition' as const,
      city: null,
      regionCode: null,
    },
    ...{ venue: null, startDate: '2026-07-01', endDate: '2026-07-04', organizerIds: [] },
  };
  const rounds = events.map(({ eventId, defaultRoundFormat: format }) => ({
    ...{ eventId, roundNumber: 1 },
    rules: { format, date: null, timeLimit: null, cutoff: null, advancement: null },
  }));
  await commands.execute(new CreateContest(contest, details, rounds, CONTEXT));
  await commands.execute(new AnnounceContest(contest, CONTEXT));
  const registered = await Promise.all(
    Array.from({ length: COMPETITORS }, (_, index) => {
      const assocId = `2016PODI${String(index).padStart(3, '0')}`;
      const person = { spaceId: SPACE, name: nameOf(index), localizedName: null, assocId, timeline: [] };
      return commands.execute(new RegisterPerson(person, CONTEXT));
    }),
  );
  const rows = registered.map(({ personId }) => ({
    selector: { by: 'personId' as const, personIds: [personId] },
    number: null,
    eventIds: events.map(({ eventId }) => eventId),
  }));
  await commands.execute(new RegisterCompetitors(contest, rows, CONTEXT));
  return (await commands.execute(new OpenRound({ ...contest, eventId: '333', roundNumber: 1 }, CONTEXT)))
    .position;
};
