/** A saved query: saved under a name, replaced, removed. From top to bottom: state, commands, fold, decisions. */
import { accept, type Decider, decideBy, reject } from '../../domain/decider.js';
import { invalid } from '../../domain/rejections.js';
import type { Aggregate } from '../../foundation/aggregates/aggregate.js';
import { type SavedQueryEvent, savedQueryStream } from './saved-query.events.js';

export interface SavedQueryState {
  /** Null: nothing is saved under this name. */
  readonly address: string | null;
}

/** All are idempotent. */
export type SavedQueryCommand =
  | { readonly type: 'SaveLogQuery'; readonly address: string }
  | { readonly type: 'RemoveSavedLogQuery' };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Browsers and proxies keep addresses of this length. */
export const MAX_ADDRESS_LENGTH = 8_000;
/** What an address has, beside letters and digits, after it was escaped. */
const ADDRESS = /^endpoint=[\w.~!*'()%&=+-]+$/;

/** Whether a query can be saved under the name. */
export const isSavedQueryName = (text: string): boolean => NAME.test(text);

const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text);

const evolve = (state: SavedQueryState, event: SavedQueryEvent): SavedQueryState => {
  switch (event.type) {
    case 'LogQuerySaved':
      return { address: event.data.address };
    case 'SavedLogQueryRemoved':
      return { address: null };
    default:
      event satisfies never;
      return state;
  }
};

const decide = decideBy<SavedQueryCommand, SavedQueryState, SavedQueryEvent>({
  SaveLogQuery: ({ address }, state) => {
    if (!isAddress(address)) {
      const message = `must be the query in an address of the explorer, of at most ${MAX_ADDRESS_LENGTH} characters`;
      return reject(invalid([{ field: 'address', rule: 'address', message }]));
    }
    return address === state.address ? accept() : accept({ type: 'LogQuerySaved', data: { address } });
  },
  RemoveSavedLogQuery: (_, { address }) =>
    address === null ? accept() : accept({ type: 'SavedLogQueryRemoved', data: {} }),
});

export const savedQueryDecider: Decider<SavedQueryState, SavedQueryCommand, SavedQueryEvent> = {
  initialState: { address: null },
  evolve,
  decide,
};

/** Keyed by the name. */
export const savedQueryAggregate: Aggregate<string, SavedQueryState, SavedQueryCommand, SavedQueryEvent> = {
  stream: savedQueryStream,
  decider: savedQueryDecider,
  schema: 1,
  sizeOf: ({ address }) => 100 + (address?.length ?? 0),
};
