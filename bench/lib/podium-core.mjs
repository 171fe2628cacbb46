/** Podium's application context on a data folder, as its CLI uses it. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CoreModule } from '../../dist/app/core.module.js';
import { projections } from '../../dist/app/features.js';
import { loadConfig } from '../../dist/foundation/config.js';
import { EVENT_STORE } from '../../dist/foundation/event-store/event-store.js';
import { Projector } from '../../dist/foundation/projections/projector.js';

const LONGEST_WAIT = 3_600_000;

export const openPodium = async (dataDir, more = {}) => {
  const own = { PODIUM_DATA: dataDir, PODIUM_SAMPLE: 'false', PODIUM_LOG_LEVEL: 'warn' };
  const config = loadConfig({ ...own, ...more });
  const app = await NestFactory.createApplicationContext(await CoreModule.register(config), {
    logger: ['error', 'warn'],
  });
  const projector = app.get(Projector);
  return {
    commands: app.get(CommandBus),
    queries: app.get(QueryBus),
    replay: () => projector.replay(projections.map(({ name }) => name)),
    caughtUp: async () => {
      const reached = await projector.waitFor(await app.get(EVENT_STORE).head(), LONGEST_WAIT);
      if (!reached) throw new Error('the read models did not catch up within an hour');
    },
    close: () => app.close(),
  };
};
