/** An ongoing contest with open rounds, competitors and keys, made through the real commands. */

import { AnnounceContest, CreateContest } from '../../dist/competition/contests/contest.commands.js';
import { IssueKey } from '../../dist/competition/keys/key.commands.js';
import { RegisterPerson } from '../../dist/competition/persons/person.commands.js';
import { OpenRound } from '../../dist/competition/rounds/round.commands.js';
import { ListEvents } from '../../dist/competition/spaces/space.queries.js';

export const CONTEXT = { actor: 'cli', correlationId: 'bench' };
const SPACE = 'default';
const EVENTS = 8;
const REGIONS = ['IE', 'DE', 'US', 'JP'];

const DETAILS = {
  name: 'Bench',
  shortName: 'Bench',
  type: 'competition',
  city: null,
  regionCode: null,
  venue: null,
  startDate: '2026-01-01',
  endDate: '2026-01-02',
  organizerIds: [],
};
const RULES = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null };

/** `count` rounds of the events with the most results. */
export const openContest = async (podium, competitionId, count) => {
  const events = (await podium.queries.execute(new ListEvents(SPACE)))
    .filter(
      ({ format, participants, defaultRoundFormat }) =>
        format === 'time' && participants === 1 && defaultRoundFormat === 'a',
    )
    .slice(0, EVENTS);
  const contest = { spaceId: SPACE, competitionId };
  const perEvent = Math.ceil(count / events.length);
  const planned = events
    .flatMap(({ eventId }) =>
      Array.from({ length: perEvent }, (_, index) => ({ eventId, roundNumber: index + 1, rules: RULES })),
    )
    .slice(0, count);
  await podium.commands.execute(new CreateContest(contest, DETAILS, planned, CONTEXT));
  await podium.commands.execute(new AnnounceContest(contest, CONTEXT));
  const rounds = planned.map(({ eventId, roundNumber }) => ({ ...contest, eventId, roundNumber }));
  for (const round of rounds) await podium.commands.execute(new OpenRound(round, CONTEXT));
  return { contest, rounds };
};

/** Returns their ids. */
export const registerPersons = async (podium, count) => {
  const ids = [];
  for (let index = 0; index < count; index += 1) {
    const timeline = [{ from: null, regionCode: REGIONS[index % REGIONS.length] }];
    const person = {
      spaceId: SPACE,
      name: `Bench Person ${index}`,
      localizedName: null,
      assocId: null,
      timeline,
    };
    ids.push((await podium.commands.execute(new RegisterPerson(person, CONTEXT))).personId);
  }
  return ids;
};

export const issueKeys = async (podium, contest, count) => {
  const keys = [];
  for (let index = 0; index < count; index += 1)
    keys.push((await podium.commands.execute(new IssueKey(contest, `device ${index}`, CONTEXT))).key);
  return keys;
};
