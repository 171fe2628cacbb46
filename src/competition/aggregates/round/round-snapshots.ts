/** The state of a round as text, for its snapshots. A change here or in the fold (round.ts) raises the version. */

import { Map as ImmutableMap } from 'immutable';
import { competitorKey } from '../../../domain/references.js';
import { type RosterEntry, rosterOf } from '../../../domain/roster.js';
import type { RoundResult } from '../../../domain/round-results.js';
import type { SnapshotCodec } from '../../../foundation/aggregates/aggregate.js';
import { type EntryRequest, initialRound, type RoundState } from './round.js';

/** The fields of a RoundResult: there may be thousands. */
type ResultFields = readonly [
  resultId: string,
  personIds: readonly number[],
  attempts: readonly number[],
  changes: number,
  checked: 0 | 1,
];

interface RoundText extends Pick<RoundState, 'phase' | 'setup' | 'advanced'> {
  readonly roster: readonly RosterEntry[] | null;
  readonly results: readonly ResultFields[];
  readonly removed: readonly (readonly [string, number])[];
  readonly aliases: readonly (readonly [number, number])[];
}

const fieldsOf = ({ resultId, personIds, attempts, changes, checked }: RoundResult): ResultFields => [
  resultId,
  personIds,
  attempts,
  changes,
  checked ? 1 : 0,
];

const entryOf = ([resultId, personIds, attempts, changes, checked]: ResultFields): [string, RoundResult] => [
  competitorKey(personIds),
  { resultId, personIds, attempts, changes, checked: checked === 1 },
];

/** Of a round's commands, what matters here. */
interface Entering {
  readonly type: string;
  readonly request?: EntryRequest | undefined;
}

export const roundSnapshots: SnapshotCodec<RoundState, Entering> = {
  version: 4,
  encode: ({ phase, setup, roster, advanced, results, removed, aliases }) => {
    const text: RoundText = {
      phase,
      setup,
      roster: roster && [...roster.values()],
      advanced,
      results: Array.from(results.values(), fieldsOf),
      removed: [...removed],
      aliases: [...aliases],
    };
    return JSON.stringify(text);
  },
  // Codec: the same version wrote it.
  decode: (text) => {
    const { phase, setup, roster, advanced, results, removed, aliases } = JSON.parse(text) as RoundText;
    return {
      ...initialRound,
      phase,
      setup,
      roster: roster && rosterOf(roster),
      advanced,
      results: ImmutableMap(results.map(entryOf)),
      removed: ImmutableMap(removed),
      aliases: ImmutableMap(aliases),
    };
  },
  requests: ({ requests }) => requests,
  withRequests: (state, requests) => ({ ...state, requests }),
  requestOf: ({ request }) => request,
};
