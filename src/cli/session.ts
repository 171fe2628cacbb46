/**
 * One run of a command on the stores. The stores are opened for it and always closed. A command returns when
 * reads show its result, so the next line of a script sees it, in this process or in a running server.
 */

import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command as BusCommand, Query as BusQuery } from '@nestjs/cqrs';
import type { Command } from 'commander';
import type { ContestRef } from '../domain/references.js';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import type { Receipt } from '../foundation/aggregates/outcome.js';
import { fileProblem } from '../foundation/basics/file-problem.js';
import type { PodiumConfig } from '../foundation/config.js';
import type { Projector } from '../foundation/projections/projector.js';
import { Output } from './output.js';
import { CliError } from './refusals.js';
import { isMissing } from './sqlite-file.js';
import { type Wiring, wiringOf } from './wiring.js';

/** Time after which a command gives up when the read models do not advance at all. */
const STALL_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 500;

export interface Session {
  readonly out: Output;
  readonly spaceId: string;
  /** Names a contest of the space. */
  contest(competitionId: string): ContestRef;
  readonly wiring: Wiring;
  readonly app: INestApplicationContext;
  readonly context: CommandContext;
  /**
   * Sends a command and waits until reads show its result. Creates the default space first when it is missing,
   * unless `space` is `any`. Throws RejectedError.
   */
  run<R extends Receipt>(command: BusCommand<R>, options?: { readonly space: 'any' }): Promise<R>;
  /** Throws RejectedError. */
  ask<R>(query: BusQuery<R>): Promise<R>;
  /** Resolves when reads show all events up to the position. Throws CliError when they stop advancing. */
  waitUntilVisible(position: number, onProgress?: (reached: number) => void): Promise<void>;
}

export interface GlobalOptions {
  readonly json: boolean;
  readonly space: string;
}

export const globalOptions = (command: Command): GlobalOptions => {
  const { json = false, space } = command.optsWithGlobals<{ json?: boolean; space: string }>();
  return { json, space };
};

/**
 * The action of a command that uses the stores. `work` gets the session, then the command's arguments and its options:
 * `.argument('<keyId>').action(inSession(async ({ out }, keyId: string) => out.answer(keyId, keyId)))`.
 */
export const inSession = <Arguments extends readonly unknown[]>(work: Work<Arguments>) =>
  function action(this: Command, ...given: Arguments): Promise<void> {
    return withSession(this, (session) => work(session, ...given));
  };

/** The same for a command that only reads: it makes no stores. Throws CliError where there are none. */
export const inReadingSession = <Arguments extends readonly unknown[]>(work: Work<Arguments>) =>
  function action(this: Command, ...given: Arguments): Promise<void> {
    return withSession(this, (session) => work(session, ...given), { onlyReads: true });
  };

type Work<Arguments extends readonly unknown[]> = (session: Session, ...given: Arguments) => Promise<void>;

/**
 * Opens the stores for `work` and closes them after it. This process runs the projections when no other process does.
 */
export const withSession = async (
  command: Command,
  work: (session: Session) => Promise<void>,
  { onlyReads = false } = {},
): Promise<void> => {
  const { json, space } = globalOptions(command);
  const { loadConfig } = await import('../foundation/config.js');
  const config = loadConfig(process.env);
  if (onlyReads) requireStores(config);
  const wiring = wiringOf(command);
  const app = await wiring.application(config);
  try {
    await work(
      await sessionOf(wiring, app, { spaceId: space, out: new Output(json), dataDir: config.dataDir }),
    );
  } finally {
    await app.close();
  }
};

/**
 * Opening the stores would make them, and an answer from nothing hides a PODIUM_DATA that is mistyped. Throws CliError where all
 * three are files and none is there.
 */
const requireStores = ({ dataDir, eventStoreUrl, operationalUrl, readModelUrl }: PodiumConfig): void => {
  try {
    if (![eventStoreUrl, operationalUrl, readModelUrl].every(isMissing)) return;
  } catch (error) {
    throw new CliError(`PODIUM_DATA ${dataDir} cannot be read: ${fileProblem(error)}`);
  }
  throw new CliError(`there are no stores of Podium yet: PODIUM_DATA is ${dataDir}`);
};

/** The average position of the projections. A projection that is being rebuilt counts with its new position. */
const meanPosition = async (readModels: Projector): Promise<number> => {
  const { projections } = await readModels.status();
  const positions = projections.map(({ live, building }) => (building ?? live)?.position ?? 0);
  return positions.reduce((sum, position) => sum + position, 0) / positions.length;
};

/** A space that is missing is most often a PODIUM_DATA of another installation, or one that a server has yet to begin. */
const rethrow = async (error: unknown, dataDir: string): Promise<never> => {
  const { RejectedError } = await import('../domain/rejections.js');
  if (!(error instanceof RejectedError) || error.rejection.code !== 'space-not-found') throw error;
  throw new CliError(
    `${error.message} \`podium space list\` lists those that there are; PODIUM_DATA is ${dataDir}.`,
  );
};

const sessionOf = async (
  wiring: Wiring,
  app: INestApplicationContext,
  { spaceId, out, dataDir }: Pick<Session, 'spaceId' | 'out'> & { readonly dataDir: string },
): Promise<Session> => {
  const { CommandBus, QueryBus } = await import('@nestjs/cqrs');
  const { READ_MODELS } = await import('../foundation/projections/read-models.js');
  const { DEFAULT_SPACE } = await import('../domain/ids.js');
  const commands = app.get(CommandBus);
  const queries = app.get(QueryBus);
  const readModels: Projector = app.get(READ_MODELS);
  const waitUntilVisible: Session['waitUntilVisible'] = async (position, onProgress) => {
    let reached = -1;
    let movedAt = performance.now();
    while (!(await readModels.waitFor(position, POLL_INTERVAL_MS))) {
      const now = await meanPosition(readModels);
      if (now > reached) {
        reached = now;
        movedAt = performance.now();
        onProgress?.(reached);
      }
      if (performance.now() - movedAt > STALL_TIMEOUT_MS) {
        const why = readModels.failure === null ? '' : ` (${readModels.failure})`;
        throw new CliError(
          `it is done, but reads do not show it yet${why}; \`podium doctor\` shows their position`,
        );
      }
    }
  };
  return {
    out,
    spaceId,
    wiring,
    app,
    waitUntilVisible,
    context: { actor: 'cli', correlationId: randomUUID() },
    contest: (competitionId) => ({ spaceId, competitionId }),
    ask: (query) => queries.execute(query).catch((error: unknown) => rethrow(error, dataDir)),
    run: async (command, options) => {
      if (spaceId === DEFAULT_SPACE && options === undefined) await wiring.prepare(app);
      const receipt = await commands.execute(command);
      await waitUntilVisible(receipt.position);
      return receipt;
    },
  };
};
