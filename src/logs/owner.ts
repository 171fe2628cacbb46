/** Who owns an alert or a drain. */
import type { CommandContext } from '../foundation/aggregates/aggregate.js';

/** With whose rights it runs: those of who saved it last. */
export type Owner =
  | { readonly kind: 'operator' }
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'token'; readonly tokenId: string };

/** `id`: of the account or the token; null: the command line has none. */
export interface OwnerView {
  readonly kind: Owner['kind'];
  readonly id: string | null;
}

/** The owner that the sender of a request becomes. */
export const ownerIn = ({ accountId, keyId }: CommandContext): Owner => {
  if (accountId !== undefined) return { kind: 'account', accountId };
  return keyId === undefined ? { kind: 'operator' } : { kind: 'token', tokenId: keyId };
};

export const ownerView = (owner: Owner): OwnerView => {
  switch (owner.kind) {
    case 'operator':
      return { kind: owner.kind, id: null };
    case 'account':
      return { kind: owner.kind, id: owner.accountId };
    case 'token':
      return { kind: owner.kind, id: owner.tokenId };
    default:
      return owner satisfies never;
  }
};
