/**
 * Nothing that a server keeps in memory is ever old: after each step of a random history, both of two nodes answer every
 * read as one does that has forgotten all, to the byte. A third process gives the commands.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RECORD_TYPES } from '../../../../src/competition/records/record.queries.js';
import { CATEGORIES, RANKING_TYPES, SHOWS } from '../../../../src/domain/rankings.js';
import { EVENT_STORE, type EventStore } from '../../../../src/foundation/event-store/event-store.js';
import { encodePosition } from '../../../../src/foundation/event-store/position-token.js';
import type { Client } from '../../../support/client.js';
import { Cluster, type Node } from '../../../support/cluster.js';
import { type ForgetfulServer, startForgetfulServer } from '../../../support/forgetful-server.js';
import {
  EVENTS,
  type History,
  histories,
  PERSONS,
  plainHistory,
  type Step,
  unattended,
} from '../../../support/histories.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { at, type RanHistory } from '../../../support/ran-history.js';
import { RestartingApp } from '../../../support/restarting-app.js';
import { EMBEDDED } from '../../../support/store-pairs.js';

const STEPS = 25;
const LONG = 1_800_000;
const REGIONS = ['', 'region=IE', 'region=XE'];
/** Of all that can be read, so much is looked at after each step. */
const LOOKED_AT = 60;
/** Read while a step is under way: what is made meanwhile may be old before it is done. */
const MEANWHILE = 6;

const contestPaths = (spaceId: string, competitionId: string): readonly string[] => {
  const api = `/api/${spaceId}/competitions/${competitionId}`;
  const page = `/${spaceId}/contests/${competitionId}`;
  const rounds = EVENTS.flatMap(({ eventId }) => [1, 2].map((round) => `${page}/rounds/${eventId}/${round}`));
  return [
    ...[api, page, `${api}/competitors`, `${api}/schedule`, `${api}/schedule.ics`, `${page}/schedule`],
    ...['results', 'competitors', 'competitors/1', 'competitors/2'].map((path) => `${page}/${path}`),
    ...rounds,
  ];
};

/** Everything of a space that is kept in memory; what changes with most steps is named as often as all the rest. */
const pathsOf = ({ spaceId, competitionIds, personIds }: RanHistory): readonly string[] => {
  const api = `/api/${spaceId}`;
  const inRegions = (path: string): string[] => REGIONS.map((region) => `${path}?${region}`);
  const lists = EVENTS.flatMap(({ eventId }) =>
    RANKING_TYPES.flatMap((type) => CATEGORIES.map((category) => `rankings/${eventId}/${type}/${category}`)),
  );
  const rankings = lists.flatMap((list) =>
    inRegions(`${api}/results/${list}`).flatMap((path) =>
      SHOWS.flatMap((show) => ['', '&topN=2'].map((topN) => `${path}&show=${show}${topN}`)),
    ),
  );
  const records = CATEGORIES.flatMap((category) => [
    ...inRegions(`${api}/records/${category}`),
    ...EVENTS.flatMap(({ eventId }) =>
      RECORD_TYPES.flatMap((type) => inRegions(`${api}/records/${eventId}/${type}/${category}`)),
    ),
  ]);
  const often = [
    ...inRegions(`${api}/competitions`),
    ...EVENTS.map(({ eventId }) => `${api}/competitions?eventId=${eventId}`),
    ...competitionIds.flatMap((id) => contestPaths(spaceId, id)),
    ...inRegions(`${api}/records/recent`),
    `${api}/records/recent.atom`,
    ...personIds.map((id) => `/persons/${id}`),
    ...['events', 'competitions'].map((path) => `${api}/${path}`),
    ...['', '/contests', '/records', ...lists.slice(0, 3).map((list) => `/${list}`)].map(
      (path) => `/${spaceId}${path}`,
    ),
  ];
  const many = [...rankings, ...records];
  return many.flatMap((path, index) => [path, at(often, index % often.length)]);
};

/** Without what names the request itself in a refusal: the reply to each has another. */
const answerOf = async (client: Client, path: string): Promise<object> => {
  const { status, headers, text } = await client.get(path);
  const { etag, 'x-total-count': total, link } = headers;
  return { path, status, etag, total, link, text: text.replace(/"instance":"[^"]*"/, '') };
};

describe('two nodes', () => {
  let cluster: Cluster;
  let nodes: Node[];
  let fresh: ForgetfulServer;
  let writer: RestartingApp;
  let spaces = 0;

  beforeAll(async () => {
    cluster = await Cluster.open(EMBEDDED.open);
    nodes = [await cluster.start(), await cluster.start()];
    fresh = await startForgetfulServer(cluster.dataDir, cluster.env);
    writer = await RestartingApp.open(cluster.dataDir, cluster.env);
  }, LONG);
  afterAll(async () => {
    await writer.close();
    await fresh.stop();
    await cluster.close();
  }, LONG);

  const clients = (): Client[] => nodes.map(({ client }) => client);

  /** Until the server shows what was appended up to there. */
  const shows = async (client: Client, position: number): Promise<void> => {
    const { storeId } = writer.app.get<EventStore>(EVENT_STORE);
    await client.after(encodePosition(storeId, position), '/api/default/events');
  };

  const compare = async (ran: RanHistory, paths: readonly string[]): Promise<void> => {
    for (const client of [...clients(), fresh.client]) await shows(client, ran.position);
    await fresh.forget();
    for (const path of paths) {
      const expected = await answerOf(fresh.client, path);
      for (const client of clients()) expect(await answerOf(client, path)).toEqual(expected);
    }
  };

  const check = async (history: History, random: () => number): Promise<void> => {
    spaces += 1;
    const someOf = (paths: readonly string[], count: number): string[] =>
      Array.from({ length: count }, () => at(paths, random() % paths.length));
    let meanwhile: Promise<unknown> = Promise.resolve();
    await writer.runner().run(history, `space${spaces}`, async (ran) => {
      await meanwhile;
      const paths = pathsOf(ran);
      await compare(ran, someOf(paths, LOOKED_AT));
      const reads = someOf(paths, MEANWHILE).map((path) => answerOf(at(clients(), random() % 2), path));
      meanwhile = Promise.all(reads);
    });
    await meanwhile;
  };

  it.each<[string, Step]>([
    ['moves', { step: 'move', person: 0, from: '2020-03-01', regionCode: 'US' }],
    ['takes over the association id of one who is not on it', { step: 'merge', from: 3, into: 2 }],
  ])(
    'show a person who is on the roster only and %s',
    async (_, step) => {
      const plain = plainHistory([{ step: 'key', contest: 0 }, step]);
      const events = EVENTS.map(({ eventId }) => eventId);
      const list = Array.from({ length: PERSONS }, (_, index) => (index === 3 ? [] : events));
      const history = { ...plain, lists: plain.lists.map(() => list) };
      spaces += 1;
      await writer.runner().run(history, `space${spaces}`, (ran) =>
        compare(
          ran,
          ran.competitionIds.flatMap((id) => contestPaths(ran.spaceId, id)),
        ),
      );
    },
    LONG,
  );

  it(
    'answer what a server does that keeps nothing',
    async () => {
      const draws = fc.infiniteStream(fc.nat({ max: 1_000_000 }));
      const law = fc.asyncProperty(histories(STEPS).map(unattended), draws, (history, drawn) =>
        check(history, () => drawn.next().value ?? 0),
      );
      await fc.assert(law, propertyRuns(2, LONG / 2));
    },
    LONG,
  );
});
