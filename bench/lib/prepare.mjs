/**
 * Prepares a generated world for the benches of entry: an ongoing contest with 65 open rounds of the events
 * with the most results, competitors for every device and a key each.
 */
import { issueKeys, openContest, registerPersons } from './bench-contest.mjs';
import { openPodium } from './podium-core.mjs';

const DEVICES = 64;
const PERSONS_PER_DEVICE = 20;

const prepare = async ({ dataDir }) => {
  const podium = await openPodium(dataDir);
  const { contest, rounds } = await openContest(podium, 'Bench', DEVICES + 1);
  const persons = await registerPersons(podium, DEVICES * PERSONS_PER_DEVICE + 1);
  const keys = await issueKeys(podium, contest, DEVICES + 1);
  await podium.caughtUp();
  await podium.close();
  return {
    eventId: rounds[0].eventId,
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
