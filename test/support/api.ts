/** A server with the API world in it, and a client that holds its answers against the OpenAPI document. */
import { CommandBus } from '@nestjs/cqrs';
import { EVENT_STORE, type EventStore } from '../../src/foundation/event-store/event-store.js';
import { encodePosition } from '../../src/foundation/event-store/position-token.js';
import { type ApiWorld, makeApiWorld } from './api-world.js';
import { type SentAttempt, sendAttempt } from './attempts.js';
import type { Reply } from './client.js';
import { CheckedClient } from './openapi-check.js';
import { openPodiumApp, type PodiumApp } from './podium-app.js';
import { newDataDir, startServer, type TestServer, type TestServerOptions } from './server.js';
import { EMBEDDED, type StorePair } from './store-pairs.js';

export interface Api {
  readonly server: TestServer;
  readonly client: CheckedClient;
  readonly world: ApiWorld;
  /** Podium in this process, on the same stores. */
  readonly app: PodiumApp;
  readonly commands: CommandBus;
  readonly storeId: string;
  /** The token of where the world was complete: a read that sends it sees all of it. */
  readonly token: string;
  /** A device's attempt, by default with a good key of the contest. */
  enter(attempt: SentAttempt, key?: string): Promise<Reply>;
  /** Until the server's reads show what another process has done, up to this position. */
  shows(position: number): Promise<unknown>;
  close(): Promise<void>;
}

export const startApi = async (
  env: TestServerOptions['env'] = {},
  open: StorePair['open'] = EMBEDDED.open,
): Promise<Api> => {
  const dataDir = await newDataDir();
  const stores = await open();
  const app = await openPodiumApp(dataDir, { ...stores.env, ...env });
  const commands = app.commands;
  const { storeId } = app.get<EventStore>(EVENT_STORE);
  const world = await makeApiWorld(commands);
  const server = await startServer({ dataDir, env: { ...stores.env, ...env } });
  const client = await CheckedClient.connect(server.url);
  return {
    server,
    client,
    world,
    app,
    commands,
    storeId,
    token: encodePosition(storeId, world.position),
    enter: (attempt, key = world.keys.good) => sendAttempt(client, key, attempt),
    shows: (position) => client.after(encodePosition(storeId, position), '/api/events'),
    close: async () => {
      client.close();
      await server.stop();
      await app.close();
      await stores.dispose();
      await server.remove();
    },
  };
};
