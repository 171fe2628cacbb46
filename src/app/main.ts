/**
 * The server process. It reads its configuration and serves. On SIGTERM or SIGINT it finishes running requests
 * and ends with 0; a second signal ends it at once.
 */
import { messageOf } from '../foundation/basics/error-message.js';
import 'reflect-metadata';
import { isOutage } from '../foundation/basics/store-unavailable.js';
import { loadConfig } from '../foundation/config.js';
import { ConfigError } from '../foundation/config-error.js';
import type { Damage } from '../foundation/integrity/damage.js';
import { listenProblem } from '../http/message/listen-problem.js';
import { createLogger } from '../http/observability/logger.js';
import { createServer, type PodiumServer } from '../http/server.js';
import { AppModule, serverParts } from './app.module.js';
import { FirstStart } from './first-start.js';
import { storageProblem } from './stores/storage-problem.js';

/** Ends the process with one line, for a problem that the operator can fix. */
const exitWithConfigProblem = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  return process.exit(78);
};

const configOrExit = () => {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return exitWithConfigProblem(error.message);
  }
};

// Its files are for the user of the server alone, also in a folder that others may read.
process.umask(0o077);

const config = configOrExit();
const { host, metricsPort } = config;
const metricsProblem = (): Promise<string | null> =>
  metricsPort === null
    ? Promise.resolve(null)
    : listenProblem({ host, port: metricsPort, name: 'PODIUM_METRICS_PORT' });
const problem = (await listenProblem(config)) ?? (await metricsProblem()) ?? storageProblem(config);
if (problem !== null) exitWithConfigProblem(problem);
const { logger, flush } = createLogger(config);

const fail = async (error: unknown): Promise<never> => {
  logger.fatal({ err: error }, 'the server stops: an error was not handled');
  await flush();
  return process.exit(1);
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const onError = (error: unknown): void =>
  logger.warn(
    isOutage(error) && error instanceof Error ? { reason: error.message } : { err: error },
    'a background task failed and is retried',
  );
const onProjectionFailure = (reason: string | null): void =>
  reason === null
    ? logger.info('the read models continue')
    : logger.warn({ reason }, 'the read models do not advance; retried every second');
const onDamage = (damage: Damage): void =>
  logger.error(damage, 'stored content is damaged; `podium verify` names all of it');
const onHangingStore = (store: string): void =>
  logger.warn({ store }, 'a store did not close in time and is left as it is');

/** A failed start also writes a plain line at the end, for the operator. Some settings are told wrong only by their store. */
const failToStart = async (error: unknown): Promise<never> => {
  if (error instanceof ConfigError) return exitWithConfigProblem(error.message);
  logger.fatal({ err: error }, 'the server cannot start');
  await flush();
  process.stderr.write(`Podium cannot start: ${messageOf(error)}\n`);
  return process.exit(1);
};

const open = async (): Promise<PodiumServer> =>
  createServer({
    module: await AppModule.register(config, { onError, onProjectionFailure, onDamage, onHangingStore }),
    parts: await serverParts(),
    config,
    logger,
  });
const server = await open().catch(failToStart);

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

const stop = (signal: NodeJS.Signals): void => {
  logger.info({ signal }, 'stopping');
  for (const second of STOP_SIGNALS) process.removeListener(second, stop).once(second, () => process.exit(1));
  server.close().then(async () => {
    logger.info('stopped');
    await flush();
    process.exit(0);
  }, fail);
};
for (const signal of STOP_SIGNALS) process.once(signal, stop);

const sample = await server.app.get(FirstStart).prepare({ sample: config.sample }).catch(failToStart);
const url = await server.listen().catch(failToStart);
logger.info({ url, port: Number(new URL(url).port), pid: process.pid }, 'listening');
if (sample) process.stdout.write((await import('./generators/sample.js')).describeSample(sample, url));
else if (process.stdout.isTTY) process.stdout.write(`\nPodium is ready at ${url}\n\n`);
