/** After each step of any history, what is answered from the cache is what is made anew, and an old ETag is one of the same reply. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { CommandBus, EventBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { loadConfig } from '../../../src/foundation/config.js';
import {
  EVENT_STORE,
  type EventStore,
  type Position,
} from '../../../src/foundation/event-store/event-store.js';
import {
  READ_MODELS,
  type ReadModels,
  ReadModelsAdvanced,
} from '../../../src/foundation/projections/read-models.js';
import { createLogger } from '../../../src/http/observability/logger.js';
import type { PodiumServer } from '../../../src/http/server.js';
import { EVENTS, histories, unattended } from '../../support/histories.js';
import { HistoryRunner } from '../../support/history-runner.js';
import { temporaryFolder } from '../../support/podium-app.js';
import { propertyRuns } from '../../support/property-runs.js';
import type { RanHistory } from '../../support/ran-history.js';

// Jest cannot load a module of it. No file is asked for here.
jest.unstable_mockModule('@fastify/static', () => ({ default: async () => undefined }));
const { AppModule, serverParts } = await import('../../../src/app/app.module.js');
const { createServer } = await import('../../../src/http/server.js');

const STEPS = 20;
const LONG = 900_000;
const AT_ONCE = 8;

const folder = await temporaryFolder();
let server: PodiumServer;
let url: string;

beforeAll(async () => {
  const config = loadConfig({
    PODIUM_DATA: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    PODIUM_SAMPLE: 'false',
    PODIUM_LOG_LEVEL: 'silent',
  });
  const { logger } = createLogger(config);
  const module = await AppModule.register(config, {});
  server = await createServer({ module, parts: await serverParts(), config, logger });
  url = await server.listen();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const CATEGORIES = ['competitions', 'meetups', 'online', 'all'];
const REGIONS = ['', '&region=IE', '&region=XE'];

const rankingsOf = (space: string): readonly string[] =>
  EVENTS.flatMap(({ eventId }) =>
    CATEGORIES.flatMap((category) => [
      `/${space}/rankings/${eventId}/single/${category}`,
      `/${space}/records/${eventId}/single/${category}`,
      `/api/${space}/records/${eventId}/single/${category}`,
      ...['single', 'average'].flatMap((type) =>
        ['persons', 'results'].flatMap((show) =>
          REGIONS.map(
            (region, index) =>
              `/api/${space}/results/rankings/${eventId}/${type}/${category}?show=${show}&topN=${index + 1}${region}`,
          ),
        ),
      ),
    ]),
  );

const contestPaths = (space: string, competitionId: string): readonly string[] => {
  const api = `/api/${space}/competitions/${competitionId}`;
  const page = `/${space}/contests/${competitionId}`;
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  return [
    ...['', '/competitors', '/schedule', '/schedule.ics', '/screens/main'].map((part) => api + part),
    ...['', '/results', '/competitors', '/schedule'].map((part) => page + part),
    ...numbers.flatMap((number) => [
      `${api}/competitors/${number}/schedule`,
      `${page}/competitors/${number}`,
    ]),
    ...EVENTS.flatMap(({ eventId, rounds }) =>
      Array.from({ length: rounds + 1 }, (_, index) => `rounds/${eventId}/${index + 1}`).flatMap((round) => [
        `${page}/${round}`,
        `${api}/${round}/outlook`,
      ]),
    ),
  ];
};

/** Whatever is cached for readers. */
const pathsOf = ({ spaceId, competitionIds }: RanHistory): readonly string[] => [
  ...['', '/rankings', '/records', '/records/recent', '/contests'].map((part) => `/${spaceId}${part}`),
  ...['events', 'competitions', 'competitions?eventId=cube', 'competitions?region=IE'].map(
    (part) => `/api/${spaceId}/${part}`,
  ),
  ...['records/recent', 'records/recent.atom', ...CATEGORIES.map((category) => `records/${category}`)].map(
    (part) => `/api/${spaceId}/${part}`,
  ),
  ...rankingsOf(spaceId),
  ...competitionIds.flatMap((competitionId) => contestPaths(spaceId, competitionId)),
];

interface Seen {
  readonly status: number;
  readonly body: string;
  readonly etag: string | null;
}

const read = async (path: string, etag?: string | null): Promise<Seen> => {
  const reply = await fetch(url + path, { headers: etag ? { 'If-None-Match': etag } : {} });
  const body = await reply.text();
  // A problem names its request.
  return { status: reply.status, body: reply.ok ? body : '', etag: reply.headers.get('etag') };
};

const readAll = async (
  paths: readonly string[],
  before: ReadonlyMap<string, Seen>,
): Promise<ReadonlyMap<string, Seen>> => {
  const seen = new Map<string, Seen>();
  const rest = [...paths];
  const readRest = async (): Promise<void> => {
    for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
      const known = before.get(path);
      const now = await read(path, known?.etag);
      seen.set(path, now.status === 304 && known ? known : now);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readRest));
  return seen;
};

/** Until the read models show all that is appended. Returns its position. */
const settled = async (): Promise<Position> => {
  const head = await store().head();
  await server.app.get<ReadModels>(READ_MODELS).waitFor(head, LONG);
  return head === (await store().head()) ? head : settled();
};

const store = (): EventStore => server.app.get(EVENT_STORE);

interface Readings {
  readonly cached: ReadonlyMap<string, Seen>;
  readonly fresh: ReadonlyMap<string, Seen>;
}

/** From the cache, and made anew, as of one position: once more when a process manager has appended meanwhile. */
const readBoth = async (paths: readonly string[], before: ReadonlyMap<string, Seen>): Promise<Readings> => {
  const position = await settled();
  const cached = await readAll(paths, before);
  await server.app.get(EventBus).publish(new ReadModelsAdvanced(position, null));
  const fresh = await readAll(paths, new Map());
  return position === (await store().head()) ? { cached, fresh } : readBoth(paths, before);
};

it(
  'are those that are made anew',
  async () => {
    const runner = new HistoryRunner({
      commands: () => server.app.get(CommandBus),
      upkeep: async () => undefined,
    });
    let spaces = 0;
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(histories(STEPS), async (history) => {
        spaces += 1;
        let before: ReadonlyMap<string, Seen> = new Map();
        await runner.run(unattended(history), `space${spaces}`, async (ran) => {
          const paths = pathsOf(ran);
          const { cached, fresh } = await readBoth(paths, before);
          for (const path of paths) {
            const { status, body } = fresh.get(path) ?? {};
            const { status: cachedStatus, body: cachedBody } = cached.get(path) ?? {};
            expect({ path, status: cachedStatus, body: cachedBody }).toEqual({ path, status, body });
            if (before.has(path) && before.get(path)?.body !== body) changed += 1;
          }
          before = fresh;
        });
      }),
      propertyRuns(2, LONG / 2),
    );
    expect(changed).toBeGreaterThan(0);
  },
  LONG,
);
