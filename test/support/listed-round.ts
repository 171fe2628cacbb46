/** A round of a contest with a competitor list: four competitors, of whom two advance. */

import { RegisterCompetitors } from '../../src/competition/contests/competitor-list.commands.js';
import { PlanRound } from '../../src/competition/contests/contest.commands.js';
import { OpenRound, UndoOpening } from '../../src/competition/rounds/round.commands.js';
import type { Api } from './api.js';
import { CONTEST, CONTEXT, SPACE } from './api-world.js';

/** Round 1 of 333 of the API world, opened anew for its four persons, by best of one. Shown when this resolves. */
export const openListedRound = async (api: Pick<Api, 'commands' | 'world' | 'shows'>): Promise<void> => {
  const contest = { spaceId: SPACE, competitionId: CONTEST };
  const ref = { eventId: '333', roundNumber: 1 };
  const round = { ...contest, ...ref };
  const rules = {
    format: '1',
    date: null,
    timeLimit: null,
    cutoff: null,
    advancement: { type: 'number', value: 2 },
  } as const;
  const rows = api.world.personIds.map((id) => ({
    selector: { by: 'personId', personIds: [id] } as const,
    number: null,
    eventIds: ['333'],
  }));
  await api.commands.execute(new UndoOpening(round, CONTEXT));
  await api.commands.execute(new PlanRound(contest, { ...ref, rules }, CONTEXT));
  await api.commands.execute(new RegisterCompetitors(contest, rows, CONTEXT));
  const { position } = await api.commands.execute(new OpenRound(round, CONTEXT));
  await api.shows(position);
};
