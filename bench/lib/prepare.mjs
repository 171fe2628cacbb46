/**
 * Prepares a generated world for the benches of entry: an ongoing contest with 65 open rounds of the events
 * with the most results, competitors for every device and a key each.
 */

import { OpenRound } from '../../dist/competition/aggregates/round/round.commands.js';
import { AnnounceContest, CreateContest } from '../../dist/competition/contests/contest.commands.js';
import { IssueKey } from '../../dist/competition/keys/key.commands.js';
import { RegisterPerson } from '../../dist/competition/persons/person.commands.js';
import { ListEvents } from '../../dist/competition/spaces/space.queries.js';
import { openPodium } from './podium-core.mjs';

const CONTEXT = { actor: 'cli', correlationId: 'bench' };
const SPACE = 'default';
const DEVICES = 64;
const PERSONS_PER_DEVICE = 20;
const EVENTS = 8;

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

const prepare = async ({ dataDir }) => {
  const podium = await openPodium(dataDir);
  const events = (await podium.queries.execute(new ListEvents(SPACE)))
    .filter(
      ({ format, participants, defaultRoundFormat }) =>
        format === 'time' && participants === 1 && defaultRoundFormat === 'a',
    )
    .slice(0, EVENTS);
  const contest = { spaceId: SPACE, competitionId: 'Bench' };
  const perEvent = Math.ceil((DEVICES + 1) / events.length);
  const planned = events
    .flatMap(({ eventId }) =>
      Array.from({ length: perEvent }, (_, index) => ({ eventId, roundNumber: index + 1, rules: RULES })),
    )
    .slice(0, DEVICES + 1);
  await podium.commands.execute(new CreateContest(contest, DETAILS, planned, CONTEXT));
  await podium.commands.execute(new AnnounceContest(contest, CONTEXT));
  const rounds = planned.map(({ eventId, roundNumber }) => ({ ...contest, eventId, roundNumber }));
  for (const round of rounds) await podium.commands.execute(new OpenRound(round, CONTEXT));
  const register = (index) =>
    podium.commands.execute(
      new RegisterPerson(
        {
          spaceId: SPACE,
          name: `Bench Person ${index}`,
          localizedName: null,
          assocId: null,
          timeline: [{ from: null, regionCode: ['IE', 'DE', 'US', 'JP'][index % 4] }],
        },
        CONTEXT,
      ),
    );
  const persons = [];
  for (let index = 0; index <= DEVICES * PERSONS_PER_DEVICE; index += 1)
    persons.push((await register(index)).personId);
  const keys = [];
  for (let index = 0; index <= DEVICES; index += 1) {
    keys.push((await podium.commands.execute(new IssueKey(contest, `device ${index}`, CONTEXT))).key);
  }
  await podium.caughtUp();
  await podium.close();
  return {
    eventId: events[0].eventId,
    rounds,
    keys,
    /** Those of each device; the last entry is the prober's. */
    persons: Array.from({ length: DEVICES + 1 }, (_, device) =>
      persons.slice(device * PERSONS_PER_DEVICE, (device + 1) * PERSONS_PER_DEVICE),
    ),
  };
};

process.once('message', (order) => {
  prepare(order).then(
    (prepared) => process.send({ prepared }, () => process.exit(0)),
    (error) => process.send({ error: error.stack }, () => process.exit(1)),
  );
});
