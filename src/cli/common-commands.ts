/** Commands that several groups share: `list` prints a table, `revoke` ends one credential. */
import type { Command as BusCommand } from '@nestjs/cqrs';
import type { Command } from 'commander';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import type { Receipt } from '../foundation/aggregates/outcome.js';
import type { Columns } from './output.js';
import { inReadingSession, inSession, type Session } from './session.js';

/** Adds a `list` without options to a group. */
export const addListCommand = <T>(
  group: Command,
  { description, example, read, columns }: ListCommand<T>,
): void => {
  group
    .command('list')
    .description(description)
    .addHelpText('after', `\nExample:\n  ${example}`)
    .action(inReadingSession(async (session) => session.out.list(await read(session), columns)));
};

interface ListCommand<T> {
  readonly description: string;
  readonly example: string;
  readonly read: (session: Session) => Promise<readonly T[]>;
  readonly columns: Columns<T>;
}

/** Adds `revoke <keyId>` or `revoke <tokenId>` to a group. */
export const addRevokeCommand = (group: Command, { kind, example, revoke }: RevokeCommand): void => {
  const idName = `${kind}Id`;
  group
    .command('revoke')
    .description(`End one ${kind}, at once and for good.`)
    .argument(`<${idName}>`, `as \`podium ${kind}s list\` shows it`)
    .addHelpText('after', `\nExample:\n  podium ${kind}s revoke ${example}`)
    .action(
      inSession(async ({ run, context, out }, id: string) => {
        await run(await revoke(id, context));
        out.answer({ [idName]: id, state: 'revoked' }, `${kind} ${id} is revoked`);
      }),
    );
};

interface RevokeCommand {
  readonly kind: 'key' | 'token';
  /** An id for the help. */
  readonly example: string;
  readonly revoke: (id: string, context: CommandContext) => Promise<BusCommand<Receipt>>;
}
