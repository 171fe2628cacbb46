/**
 * The server process: reads its configuration, serves, and on SIGTERM or SIGINT finishes what is under way before it
 * ends with 0. A second signal ends it at once.
 */
import 'reflect-metadata';
import { AppModule } from './app.module.js';
import { ConfigError, loadConfig } from './config.js';
import { describeSample } from './exchange/sample.js';
import { createLogger } from './http/logger.js';
import { createServer } from './http/server.js';

const configOrExit = () => {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(78);
  }
};

const config = configOrExit();
const { logger, flush } = createLogger(config);

const fail = async (error: unknown): Promise<never> => {
  logger.fatal({ err: error }, 'the server cannot go on');
  await flush();
  return process.exit(1);
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const onError = (error: unknown): void => logger.warn({ err: error }, 'tried again');
const onTrouble = (reason: string | null): void =>
  reason === null
    ? logger.info('the read models go on')
    : logger.warn({ reason }, 'the read models stand still, tried again every second');

const server = await createServer(AppModule.register(config, { onError, onTrouble }), config, logger).catch(
  fail,
);

const stop = (signal: NodeJS.Signals): void => {
  logger.info({ signal }, 'stopping');
  process.once(signal, () => process.exit(1));
  server.close().then(async () => {
    logger.info('stopped');
    await flush();
    process.exit(0);
  }, fail);
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

const sample = await server.prepare(config.sample).catch(fail);
const url = await server.listen().catch(fail);
logger.info({ url, port: Number(new URL(url).port), pid: process.pid }, 'listening');
if (sample) process.stdout.write(describeSample(sample, url));
