/**
 * `podium copy-events`: moves an installation to other stores. Events are copied first, then the operational
 * store, as in a backup. Profiles are written before the events that name them, so each person in the copied
 * events has a copied profile.
 */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Copied, CopyStep } from '../../foundation/event-store/copy-events.js';
import type { EventStore } from '../../foundation/event-store/event-store.js';
import type { CopiedRecords } from '../../foundation/operational/copy-records.js';
import type { Witness } from '../../foundation/operational/witness-store.js';
import { keyValueLines, Output } from '../output.js';
import { startProgress } from '../progress.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { pathOf } from '../sqlite-file.js';
import { type StoreOpeners, wiringOf } from '../wiring.js';

/** Concurrent appends into an embedded store, which keeps their order. */
const MAX_IN_FLIGHT = 64;

interface Options {
  readonly from: string;
  readonly to: string;
  readonly operationalFrom?: string;
  readonly operationalTo?: string;
  readonly overwrite?: boolean;
}

interface Answer extends Copied {
  readonly storeId: string;
  readonly operational: CopiedRecords | null;
}

export const copyEventsCommand = (program: Command): void => {
  program
    .command('copy-events')
    .description('Copy all events, and profiles with them, into other stores: ids, order and times stay.')
    .requiredOption('--from <url>', 'the event store to copy, as EVENT_STORE_URL names it')
    .requiredOption('--to <url>', 'an empty store, or one with an interrupted copy')
    .option('--operational-from <url>', 'the operational store to copy, as OPERATIONAL_URL names it')
    .option('--operational-to <url>', 'an empty store')
    .option('--overwrite', 'replace the content of the operational target')
    .addHelpText(
      'after',
      `
An interrupted copy can be repeated: it compares the events that exist and appends the rest. At the end it compares both
stores event by event. Servers on the source may keep running. Before the move, stop them and copy once more, which takes
only new events. Read models are not copied: the first start on the new stores builds them.

Examples:
  podium copy-events --from sqlite:data/events.sqlite --to 'esdb://admin:changeit@db:2113' \\
    --operational-from sqlite:data/operational.sqlite --operational-to mongodb://db/podium
  podium copy-events --from esdb://db:2113 --to sqlite:/backups/2026-04-11/events.sqlite`,
    )
    .action(async (options: Options, command: Command) => {
      if ((options.operationalFrom === undefined) !== (options.operationalTo === undefined))
        throw new CliError('give both --operational-from and --operational-to, or neither');
      for (const url of [options.from, options.operationalFrom]) refuseMissing(url);
      const { stores } = wiringOf(command);
      const { witness, ...events } = await copyAllEvents(stores, options);
      const operational = await copyOperational(stores, options, witness);
      const answer: Answer = { ...events, storeId: witness.storeId, operational };
      new Output(globalOptions(command).json).answer(answer, () => textOf(answer));
    });
};

/** Refuses a missing embedded source: opening it would create an empty one. */
const refuseMissing = (url: string | undefined): void => {
  if (url?.startsWith('sqlite:') && !existsSync(pathOf(url)))
    throw new CliError(`there is no ${pathOf(url)} to copy`);
};

/** `witness`: how far the target has come. */
const copyAllEvents = async (
  stores: StoreOpeners,
  { from, to }: Options,
): Promise<Copied & { readonly witness: Witness }> => {
  const { loadConfig } = await import('../../foundation/config.js');
  const { StreamNames } = await import('../../domain/streams.js');
  const { copyEvents } = await import('../../foundation/event-store/copy-events.js');
  const { witnessOf } = await import('../../foundation/losses/survey.js');
  const { streamPrefix } = loadConfig(process.env);
  const { prefix } = new StreamNames(streamPrefix);
  const source = await stores.events(from, { readOnly: true, streamPrefix });
  try {
    const target = await stores.events(to, { readOnly: false, streamPrefix });
    try {
      if (target.storeId === source.storeId)
        throw new CliError('the target is the source itself or a copy of its file');
      const progress = await startProgress('positions');
      const onProgress = (step: CopyStep, done: number, total: number): void =>
        progress.update(done, total, step);
      const inFlight = to.startsWith('sqlite:') ? MAX_IN_FLIGHT : 1;
      const copied = await copyEvents({
        from: source,
        to: target,
        streamPrefix: prefix,
        inFlight,
        onProgress,
      }).finally(() => progress.stop());
      await giveInstallation(source, target);
      return { ...copied, witness: await witnessOf(target) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** Both stores then belong to one installation, and a start on the target is no loss. */
const giveInstallation = async (source: EventStore, target: EventStore): Promise<void> => {
  const { installation } = await source.identity();
  const { installation: before } = await target.identity();
  const isGiven = installation?.id === before?.id && installation?.epoch === before?.epoch;
  if (installation && !isGiven) await target.assign(installation);
};

/** The copy remembers the end of the copied events, so a target that is cut before its first start is noticed. */
const copyOperational = async (
  stores: StoreOpeners,
  { operationalFrom, operationalTo, overwrite = false }: Options,
  witness: Witness,
): Promise<CopiedRecords | null> => {
  if (operationalFrom === undefined || operationalTo === undefined) return null;
  const { copyRecords } = await import('../../foundation/operational/copy-records.js');
  const from = await stores.operational(operationalFrom);
  try {
    const to = await stores.operational(operationalTo);
    try {
      const copied = await copyRecords({ from, to, overwrite });
      const { installation } = await from.witnesses.read();
      if (installation) await to.witnesses.begin(installation, [witness]);
      return copied;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
};

const textOf = ({ events, streams, appended, checksum, position, storeId, operational }: Answer): string =>
  keyValueLines([
    ['events', events],
    ['of them now', appended],
    ['streams', streams],
    ['up to', `position ${position} of the source`],
    ['checksum', checksum],
    ['target', storeId],
    ...(operational === null
      ? []
      : ([
          ['profiles', operational.profiles],
          ['key uses', operational.keyUses],
          ['accounts', operational.accounts],
          ['checksum', operational.checksum],
        ] as const)),
  ]);
