/**
 * `podium accept-loss`: goes on from what is left after events were lost. It begins a new restore epoch, so witnesses
 * and checkpoints from before count no more. No read shows what was lost: it is refused until the next start has rebuilt the
 * read models from the remaining events.
 */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { PodiumConfig } from '../../foundation/config.js';
import type { EventStore } from '../../foundation/event-store/event-store.js';
import type { ReadModelStore } from '../../foundation/read-models/read-model-store.js';
import { factsOf, type KnownFacts } from '../loss-facts.js';
import { Output } from '../output.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { isMissing } from '../sqlite-file.js';
import { type Wiring, wiringOf } from '../wiring.js';

export const acceptLossCommand = (program: Command): void => {
  program
    .command('accept-loss')
    .description('Go on from the events that are left, after others were lost. Prints what is lost.')
    .option('--yes', 'accept it; without this nothing is changed')
    .addHelpText(
      'after',
      `
Podium takes no commands and rebuilds nothing while events are missing that it had. First try to put the lost files
back, or a backup. Stop all servers before: it is refused while one holds a lease. The next start rebuilds the read models.

Examples:
  podium accept-loss
  podium accept-loss --yes`,
    )
    .action(async ({ yes = false }: { readonly yes?: boolean }, command: Command) => {
      const { loadConfig } = await import('../../foundation/config.js');
      const { describeLoss, findLoss } = await import('../../foundation/losses/find-loss.js');
      const out = new Output(globalOptions(command).json);
      const wiring = wiringOf(command);
      const config = loadConfig(process.env);
      const facts = await factsOf(wiring, config);
      const loss = findLoss(facts);
      if (loss === null) {
        out.answer({ loss: null, accepted: false }, 'no events are missing');
        return;
      }
      const lost = describeLoss(loss);
      const { backup } = facts.remembered;
      const last = backup ? `; the last backup is of ${backup.at}, up to position ${backup.position}` : '';
      if (!yes) throw new CliError(`${lost}${last}. Give --yes to go on without them`);
      await refuseWhileServing(wiring, config);
      await accept(wiring, config, facts);
      out.answer({ loss, accepted: true }, `accepted: ${lost}. The next start rebuilds the read models`);
    });
};

const refuseWhileServing = async ({ stores }: Wiring, { readModelUrl }: PodiumConfig): Promise<void> => {
  if (isMissing(readModelUrl)) return;
  const store = await stores.readModels(readModelUrl, { readOnly: true });
  const leases = await store.leases().finally(() => store.close());
  const [lease] = leases;
  if (lease) throw new CliError(`${lease.holder} holds the lease ${lease.name}: stop all servers first`);
};

/** The witnesses go last: after a crash before them, what they know to be lost is still reported. */
const accept = async (
  wiring: Wiring,
  { eventStoreUrl, operationalUrl, readModelUrl, streamPrefix }: PodiumConfig,
  { events, remembered }: KnownFacts,
): Promise<void> => {
  const { stores } = wiring;
  const { nextEpoch } = await import('../../foundation/event-store/installation.js');
  const { witnessOf } = await import('../../foundation/losses/survey.js');
  const given = events?.identity.installation ?? null;
  const { id = given?.id ?? randomUUID(), epoch = 0 } = remembered.installation ?? {};
  const installation = { id, epoch: nextEpoch(Math.max(epoch, given?.epoch ?? 0)) };
  const eventStore = await stores.events(eventStoreUrl, { readOnly: false, streamPrefix });
  try {
    await eventStore.assign(installation);
    const emptied = isMissing(readModelUrl) ? null : await emptyReadModels(wiring, readModelUrl, eventStore);
    try {
      const witness = await witnessOf(eventStore);
      const operational = await stores.operational(operationalUrl);
      await operational.witnesses.begin(installation, [witness]).finally(() => operational.close());
    } finally {
      // To drop the tables from before may take a while.
      await emptied?.close();
    }
  } finally {
    await eventStore.close();
  }
};

/**
 * Without events the empty read models are right. Else they get a version of which nothing is read, and which is rebuilt. Returns their
 * store, which is open.
 */
const emptyReadModels = async (
  { stores, projections }: Wiring,
  url: string,
  eventStore: EventStore,
): Promise<ReadModelStore> => {
  const { UNREADABLE_VERSION } = await import('../../foundation/read-models/damaged-generation.js');
  const { storeId } = await eventStore.identity();
  const isEmpty = (await eventStore.head()) === 0;
  const schemas = (await projections()).map((schema) =>
    isEmpty ? schema : { ...schema, version: UNREADABLE_VERSION },
  );
  const store = await stores.readModels(url, { readOnly: false });
  try {
    await store.prepare(schemas);
    await store.promote(await store.startGenerations(schemas, storeId));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
};
