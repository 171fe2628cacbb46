/**
 * An installation with something in each of its stores: contests with results and their histories, a round that is long enough
 * for a snapshot, requests that were used, accounts with sessions and an audit trail, cached results, log entries. And
 * everything that can be read of it, as text by the question that was asked.
 */

import { roundAggregate } from '../../src/competition/aggregates/round/round.decider.js';
import { EnterAttempt } from '../../src/competition/rounds/round.commands.js';
import { StreamNames } from '../../src/domain/streams.js';
import { Aggregates } from '../../src/foundation/aggregates/aggregates.js';
import { isOutage } from '../../src/foundation/basics/store-unavailable.js';
import { EVENT_STORE, type EventStore } from '../../src/foundation/event-store/event-store.js';
import {
  LOG_STORE,
  type LogStore,
  LogStoreUnavailableError,
} from '../../src/foundation/log-store/log-store.js';
import { auditTime } from '../../src/foundation/operational/audit-store.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../src/foundation/operational/operational-store.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../../src/foundation/read-models/read-model-store.js';
import { storedAccount } from './accounts.js';
import { CONTEST, CONTEXT, makeApiWorld, SPACE } from './api-world.js';
import { runSql } from './engine-sql.js';
import { appendNext, newEvent } from './events.js';
import { logEntries } from './log-entries.js';
import type { PodiumApp } from './podium-app.js';
import { readEverything } from './read-everything.js';
import { until } from './until.js';

/** With these the round of 333 leaves a snapshot. */
const CORRECTIONS = 1_100;
const REQUESTS = Array.from({ length: 12 }, (_, at) => ({ key: `request ${at}`, value: 1_200 + at }));
const CACHED = ['one', 'two', 'three'];
const ROUND = { spaceId: SPACE, competitionId: CONTEST, eventId: '333', roundNumber: 1 };

export interface WholeInstallation {
  readonly personIds: readonly number[];
}

/** What an application says; `refused`: questions that a store did not answer. */
export interface Told {
  readonly answers: ReadonlyMap<string, string>;
  readonly refused: readonly string[];
}

export const makeWholeInstallation = async (app: PodiumApp): Promise<WholeInstallation> => {
  const { personIds, position } = await makeApiWorld(app.commands);
  await app.waitFor(position);
  for (const [place, personId] of personIds.entries())
    for (const attempt of [1, 2, 3]) await enter(app, personId, attempt, 1_000 + 100 * place + attempt);
  for (const { key, value } of REQUESTS) await enter(app, personIds[0], 1, value, key);
  await correct(app);
  await enter(app, personIds[0], 1, 5_000);
  await until(
    async () => app.get(Aggregates).metrics.text(),
    (text) => /podium_snapshots_total\{aggregate="round",outcome="saved"\} [1-9]/.test(text),
  );
  await fillStores(app);
  await app.waitFor(await app.get<EventStore>(EVENT_STORE).head());
  return { personIds };
};

/** `key`: with a request of this key, and a fingerprint of its own for each value. */
const enter = async (
  app: PodiumApp,
  personId: number,
  attempt: number,
  value: number,
  key?: string,
): Promise<string> => {
  const selector = { by: 'personId' as const, personIds: [personId] };
  const request = key === undefined ? undefined : { key, fingerprint: `of ${value}` };
  const command = new EnterAttempt(ROUND, selector, attempt, value, CONTEXT, request);
  const { results } = await app.commands.execute(command);
  return JSON.stringify(results.map(({ changed, attempts }) => ({ changed, attempts })));
};

const correct = async (app: PodiumApp): Promise<void> => {
  const events = app.get<EventStore>(EVENT_STORE);
  const stream = app.get(StreamNames).of(roundAggregate.stream, ROUND);
  const [last] = (await events.readStream(stream, { direction: 'backwards', limit: 1 })) ?? [];
  const { resultId, personIds } = Object(last?.data);
  const corrections = Array.from({ length: CORRECTIONS }, (_, at) =>
    newEvent('AttemptCorrected', { resultId, personIds, attemptNumber: 1, value: 2_000 + at, previous: 1 }),
  );
  for (let at = 0; at < CORRECTIONS; at += 275)
    await appendNext(events, stream, corrections.slice(at, at + 275));
};

const fillStores = async (app: PodiumApp): Promise<void> => {
  const { accounts, audit } = app.get<OperationalStore>(OPERATIONAL_STORE);
  for (const accountId of ['ann', 'bea', 'cid']) {
    await accounts.create(storedAccount({ accountId, email: `${accountId}@example.org` }));
    const times = { startedAt: Date.now(), seenAt: Date.now() };
    const session = { key: `session of ${accountId}`, accountId, passwordId: 'p1', ...times };
    await accounts.startSession({ ...session, device: 'Firefox on Linux', network: '192.0.2.0' });
  }
  await audit.append(
    Array.from({ length: 20 }, (_, at) => ({
      ...{ entryId: `${auditTime(at)}-${at}`, at, spaceId: SPACE, accountId: 'ann', subject: 'bea' },
      ...{ action: 'account-changed' as const, network: 'hash', count: 1, details: [`role=${at}`] },
    })),
  );
  const { resultCache } = app.get<ReadModelStore>(READ_MODEL_STORE);
  for (const key of CACHED) {
    const times = {
      madeAt: Date.now(),
      usedAt: Date.now(),
      keepUntil: Date.now() + 86_400_000,
      warmAt: null,
    };
    const body = JSON.stringify({ result: Array.from({ length: 200 }, (_, at) => `${key} ${at}`) });
    await resultCache.put({ key, tenant: 'a', recipe: `recipe of ${key}`, body, truncated: false, ...times });
  }
  const entries = logEntries(300, (index) => ({ eventMessage: `entry ${index}`, metadata: { index } }));
  await app.get<LogStore>(LOG_STORE).append('edge_logs', entries);
};

/** What was cached and is gone is no answer and no refusal: it is made anew. */
export const readWholeInstallation = async (
  app: PodiumApp,
  { personIds }: WholeInstallation,
): Promise<Told> => {
  const refused: string[] = [];
  const operational = app.get<OperationalStore>(OPERATIONAL_STORE);
  const all = await readEverything(app.queries, [{ spaceId: SPACE, personIds }], {
    operational,
    onRefused: (question) => refused.push(question),
  });
  const answers = new Map(all);
  const ask = async (question: string, answer: () => Promise<string | null>): Promise<void> => {
    try {
      const found = await answer();
      if (found !== null) answers.set(question, found);
    } catch (error) {
      if (!isOutage(error) && !(error instanceof LogStoreUnavailableError)) throw error;
      refused.push(question);
    }
  };
  const { resultCache } = app.get<ReadModelStore>(READ_MODEL_STORE);
  for (const key of CACHED)
    await ask(`cached result ${key}`, async () => (await resultCache.get(key))?.body ?? null);
  await ask('log entries', async () => {
    const sql = 'SELECT id, timestamp, event_message, metadata FROM edge_logs ORDER BY id';
    return JSON.stringify((await runSql(app.get<LogStore>(LOG_STORE), sql)).rows);
  });
  for (const { key, value } of REQUESTS)
    await ask(`repeat of ${key}`, () => enter(app, personIds[0] ?? 0, 1, value, key));
  return { answers, refused };
};
