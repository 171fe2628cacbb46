/**
 * Podium without HTTP: the application context with real stores in a folder, real threads and real buses, as the CLI
 * uses it.
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CoreModule } from '../../src/app/core.module.js';
import type { StoresOptions } from '../../src/app/stores.module.js';
import { loadConfig } from '../../src/foundation/config.js';
import { READ_MODELS, type ReadModels } from '../../src/foundation/projections/read-models.js';

export interface PodiumApp {
  readonly dataDir: string;
  readonly get: INestApplicationContext['get'];
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  /** Throws when the read models do not come that far. */
  readonly waitFor: (position: number) => Promise<void>;
  /** Ends everything; a folder made for it goes too. */
  readonly close: () => Promise<void>;
}

const LONGEST_WAIT = 60_000;

export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'podium-test-'));

/** On the stores in `dataDir`, or on empty ones in a folder of its own; `env` may name other stores. `mode`: as of StoresModule. */
export const openPodiumApp = async (
  dataDir?: string,
  env: Readonly<Record<string, string>> = {},
  mode: StoresOptions['mode'] = 'command',
): Promise<PodiumApp> => {
  const folder = dataDir ?? (await temporaryFolder());
  const config = loadConfig({
    PODIUM_DATA: folder,
    PODIUM_SAMPLE: 'false',
    PODIUM_LOG_LEVEL: 'silent',
    ...env,
  });
  const app = await NestFactory.createApplicationContext(await CoreModule.register(config, { mode }), {
    logger: false,
    // An error is the caller's: it must not end the process.
    abortOnError: false,
  });
  const readModels = app.get<ReadModels>(READ_MODELS);
  return {
    dataDir: folder,
    get: app.get.bind(app),
    commands: app.get(CommandBus),
    queries: app.get(QueryBus),
    waitFor: async (position) => {
      const reached = await readModels.waitFor(position, LONGEST_WAIT);
      if (!reached) throw new Error(`the read models are at ${readModels.position}, not at ${position}`);
    },
    close: async () => {
      await app.close();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};
