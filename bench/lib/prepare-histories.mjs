/**
 * Prepares rounds with histories for the bench of long rounds. Each has the same results, and then corrections up to its number
 * of events, every second of them with an Idempotency-Key. What is long has its snapshot, as after an afternoon of entry.
 */
import { randomBytes } from 'node:crypto';
import { openEventStore } from '../../dist/app/stores/open-event-store.js';
import { roundAggregate } from '../../dist/competition/aggregates/round/round.decider.js';
import { EnterAttempt } from '../../dist/competition/rounds/round.commands.js';
import { StreamNames } from '../../dist/domain/streams.js';
import { newEvents } from '../../dist/foundation/aggregates/new-events.js';
import { CONTEXT, issueKeys, openContest, registerPersons } from './bench-contest.mjs';
import { openPodium } from './podium-core.mjs';

const DEVICES = 64;
const CHUNK = 5_000;

const hash = () => randomBytes(32).toString('hex');

const eventsOf = function* ({ competitionId, eventId, roundNumber }, persons, count) {
  for (let index = 0; index < count; index += 1) {
    const personId = persons[index % persons.length];
    const resultId = `${competitionId}_${eventId}_r${roundNumber}_${personId}`;
    const pass = Math.floor(index / persons.length);
    const entered = { resultId, personIds: [personId], attemptNumber: 1, value: 2_000 + pass };
    const request = index % 2 === 0 ? {} : { request: { key: hash(), fingerprint: hash() } };
    yield pass === 0
      ? { type: 'AttemptEntered', data: entered }
      : { type: 'AttemptCorrected', data: { ...entered, previous: entered.value - 1, ...request } };
  }
};

const write = async (store, round, { persons, count }) => {
  const stream = new StreamNames().of(roundAggregate.stream, round);
  let [{ revision }] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  let events = [];
  const append = async () => {
    const appended = newEvents(events, CONTEXT, roundAggregate.schema);
    ({ revision } = await store.append(stream, revision, appended));
    events = [];
  };
  for (const event of eventsOf(round, persons, count)) {
    events.push(event);
    if (events.length === CHUNK) await append();
  }
  if (events.length > 0) await append();
};

/** `short`: how many rounds of as many events as there are results; one more round gets `events`. */
const prepare = async ({ dataDir, results, events, short }) => {
  const podium = await openPodium(dataDir);
  const { contest, rounds } = await openContest(podium, 'Histories', short + 1);
  const persons = await registerPersons(podium, results);
  const keys = await issueKeys(podium, contest, DEVICES);
  await podium.close();

  const store = await openEventStore(`sqlite:${dataDir}/events.sqlite`);
  const [long, ...others] = rounds;
  for (const round of others) await write(store, round, { persons, count: results });
  await write(store, long, { persons, count: events });
  await store.close();

  const again = await openPodium(dataDir);
  const selector = { by: 'personId', personIds: [persons[0]] };
  await again.commands.execute(new EnterAttempt(long, selector, 1, 1_999, CONTEXT));
  await again.caughtUp();
  await again.close();
  const perDevice = Math.floor(results / DEVICES);
  const devices = keys.map((key, index) => ({
    key,
    personIds: persons.slice(index * perDevice, (index + 1) * perDevice),
  }));
  return { long, short: others, devices };
};

process.once('message', (order) => {
  prepare(order).then(
    (prepared) => process.send({ prepared }, () => process.exit(0)),
    (error) => process.send({ error: error.stack }, () => process.exit(1)),
  );
});
