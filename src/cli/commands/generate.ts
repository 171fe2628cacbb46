/** `podium generate`: a realistic world from a seed, for load tests. */
import type { Command } from 'commander';
import { positiveInteger, wholeNumber } from '../arguments.js';
import { startProgress } from '../progress.js';
import { inSession, type Session } from '../session.js';

export const generateCommand = (program: Command): void => {
  program
    .command('generate')
    .description('Fill the space with generated persons and contests: teams, DNFs, corrections, moves.')
    .requiredOption('--results <n>', 'how many results', positiveInteger)
    .option('--seed <n>', 'the same seed makes the same world', wholeNumber, 1)
    .addHelpText(
      'after',
      `
The same seed cannot be generated twice into one space.

Examples:
  podium generate --results 10000
  PODIUM_DATA=/tmp/load podium generate --results 1000000 --seed 7`,
    )
    .action(
      inSession(async (session, options: { results: number; seed: number }) => {
        const begun = Date.now();
        const summary = await append(session, options);
        await showProgressUntilVisible(session);
        const seconds = (Date.now() - begun) / 1_000;
        session.out.answer(
          { ...summary, seed: options.seed, seconds },
          `${summary.results} results of ${summary.persons} persons in ${summary.contests} contests, ${summary.events} events, in ${seconds.toFixed(1)} s`,
        );
      }),
    );
};

const append = async (
  { app, spaceId, wiring: { generators } }: Session,
  { results, seed }: { results: number; seed: number },
) => {
  const { EVENT_STORE } = await import('../../foundation/event-store/event-store.js');
  const { StreamNames } = await import('../../domain/streams.js');
  const { OPERATIONAL_STORE } = await import('../../foundation/operational/operational-store.js');
  const stores = {
    eventStore: app.get(EVENT_STORE),
    operational: app.get(OPERATIONAL_STORE),
    names: app.get(StreamNames),
  };
  const progress = await startProgress('results');
  const onProgress = (done: number): void => progress.update(done, Math.max(done, results), 'written');
  return generators.world(stores, { results, seed, spaceId, onProgress }).finally(() => progress.stop());
};

const showProgressUntilVisible = async ({ app, waitUntilVisible: visible }: Session): Promise<void> => {
  const { EVENT_STORE } = await import('../../foundation/event-store/event-store.js');
  const head: number = await app.get(EVENT_STORE).head();
  const progress = await startProgress('events');
  await visible(head, (reached) => progress.update(reached, head, 'shown by reads')).finally(() =>
    progress.stop(),
  );
};
