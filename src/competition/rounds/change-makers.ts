/** Names those who change rounds: devices by their keys, and accounts. */
import type { OperationalStore } from '../../foundation/operational/operational-store.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { keys } from '../keys/keys.projection.js';
import type { Author } from '../results/round-history.js';
import type { ChangeMaker } from './entry-sheet.queries.js';

/** Returns a function that names each of these authors. */
export const changeMakers = async (
  view: ReadView,
  { accounts }: Pick<OperationalStore, 'accounts'>,
  authors: readonly Author[],
): Promise<(author: Author) => ChangeMaker> => {
  const keyIds = [...new Set(authors.flatMap(({ keyId }) => (keyId === null ? [] : [keyId])))];
  const issued = await view.getMany(keys, keyIds);
  const devices = new Map(keyIds.map((keyId, index) => [keyId, issued[index]?.device ?? null]));
  const accountIds = new Set(authors.flatMap(({ accountId }) => (accountId === null ? [] : [accountId])));
  const holders = new Map<string, string | null>();
  for (const accountId of accountIds) holders.set(accountId, (await accounts.byId(accountId))?.name ?? null);
  return ({ keyId, accountId, actor }) => {
    if (accountId !== null) return { kind: 'account', id: accountId, name: holders.get(accountId) ?? null };
    if (actor === 'device' && keyId !== null)
      return { kind: 'device', id: keyId, name: devices.get(keyId) ?? null };
    return { kind: 'system', id: null, name: actor };
  };
};
