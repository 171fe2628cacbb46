/**
 * A server that forgets all that it keeps in memory when it is told to: then it answers as a process would that has just
 * begun. Run by test/support/forgetful-server.ts with the settings of any server.
 */
import { Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventBus } from '@nestjs/cqrs';
import { AppModule, serverParts } from '../../dist/app/app.module.js';
import { FirstStart } from '../../dist/app/first-start.js';
import { loadConfig } from '../../dist/foundation/config.js';
import { READ_MODELS, ReadModelsAdvanced } from '../../dist/foundation/projections/read-models.js';
import { createLogger } from '../../dist/http/observability/logger.js';
import { createServer } from '../../dist/http/server.js';

class Observed {}
Module({})(Observed);

const config = loadConfig(process.env);
const found = {};
const observe = (reference) => {
  found.reference = reference;
};
const module = {
  module: Observed,
  imports: [AppModule.register(config, {})],
  providers: [{ provide: 'observed', useFactory: observe, inject: [ModuleRef] }],
};
const { logger } = createLogger(config);
const server = await createServer({ module, parts: await serverParts(), config, logger });
await server.app.get(FirstStart).prepare({ sample: false });
const events = found.reference.get(EventBus, { strict: false });
const readModels = found.reference.get(READ_MODELS, { strict: false });

process.on('message', () => {
  events.publish(new ReadModelsAdvanced(readModels.position, null));
  process.send('forgotten');
});
process.on('disconnect', () => server.close().then(() => process.exit(0)));
process.send(await server.listen());
