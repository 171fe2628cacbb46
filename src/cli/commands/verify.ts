/** `podium verify`: reads all content of every store and holds it to its checksums. */
import type { Command } from 'commander';
import { Output, table } from '../output.js';
import { startProgress } from '../progress.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import type { StoreVerdict } from '../verification.js';
import { wiringOf } from '../wiring.js';

export const verifyCommand = (program: Command): void => {
  program
    .command('verify')
    .description('Read all content of every store and compare it with its checksums. Names each damage.')
    .addHelpText(
      'after',
      `
It changes nothing and may run beside a server. The exit status is 1 when something is damaged or could not be read.
Content from before checksums is counted as unverified.

Examples:
  podium verify
  podium verify --json | jq '.stores[].damages[]'`,
    )
    .action(async (_options: object, command: Command) => {
      const { loadConfig } = await import('../../foundation/config.js');
      const { verify } = await import('../verification.js');
      const out = new Output(globalOptions(command).json);
      const progress = await startProgress('rows');
      const stores = await verify(wiringOf(command), loadConfig(process.env), (store, checked, part) =>
        progress.update(checked, part ? Math.max(checked, Math.round(checked / part)) : checked, store),
      ).finally(() => progress.stop());
      const problems = await problemsIn(stores);
      out.answer({ ok: problems.length === 0, stores, problems }, () =>
        [
          table(stores, {
            store: 'store',
            state: 'state',
            checked: 'checked',
            unverified: unverifiedText,
            damages: ({ damages }) => damages.length,
          }),
          ...(problems.length === 0 ? ['no damage was found'] : []),
        ].join('\n\n'),
      );
      if (problems.length > 0) throw new CliError(problems.join('\npodium: '));
    });
};

const unverifiedText = ({ unverified, unverifiedBefore }: StoreVerdict): string =>
  unverifiedBefore === null ? String(unverified) : `${unverified} (before ${unverifiedBefore})`;

const problemsIn = async (stores: readonly StoreVerdict[]): Promise<readonly string[]> => {
  const { describeDamage } = await import('../../foundation/integrity/damage.js');
  return stores.flatMap(({ store, damages, failure }) => [
    ...damages.map(describeDamage),
    ...(failure === null ? [] : [`${store}: ${failure}`]),
  ]);
};
