/**
 * What is known of one contest: its phase, its details, the plan of its rounds, the numbers of its competitors. Folded from
 * the contest's events; what may be done with it is decided in src/competition/aggregates/contest/contest.decider.ts.
 */
import { Map as ImmutableMap, OrderedMap, OrderedSet } from 'immutable';
import { roundCode } from '../../../domain/attempts.js';
import type { ContestDetails, ContestEvent, PlannedRound } from './contest.events.js';

export type Ending = 'finish' | 'delete';

export interface ContestState {
  readonly phase: 'none' | 'draft' | 'announced' | 'ongoing' | 'ending' | 'finished' | 'deleted';
  /** Null: there is no such contest. */
  readonly details: ContestDetails | null;
  /** By their names inside the contest, such as `333-r1`, in the order in which they were planned. */
  readonly rounds: OrderedMap<string, PlannedRound>;
  /** By person id, as numbered: who was merged into somebody else since still stands here. */
  readonly competitorNumbers: ImmutableMap<number, number>;
  /** Keys that the next ending has to end. */
  readonly keyIds: OrderedSet<string>;
  /** What is being done while the phase is `ending`. */
  readonly ending: Ending | null;
}

export const initialContest: ContestState = {
  phase: 'none',
  details: null,
  rounds: OrderedMap(),
  competitorNumbers: ImmutableMap(),
  keyIds: OrderedSet(),
  ending: null,
};

/** Ended keys stay ended: a later ending has nothing to do with them. */
const ended = (state: ContestState, phase: 'finished' | 'deleted'): ContestState => ({
  ...state,
  phase,
  ending: null,
  keyIds: OrderedSet(),
});

export const evolve = (state: ContestState, event: ContestEvent): ContestState => {
  switch (event.type) {
    case 'ContestCreated':
      return { ...state, phase: 'draft', details: event.data.details };
    case 'ContestEdited':
      return { ...state, details: event.data.details };
    case 'RoundAdded':
    case 'RoundEdited':
      return { ...state, rounds: state.rounds.set(roundCode(event.data), event.data) };
    case 'RoundRemoved':
      return { ...state, rounds: state.rounds.delete(roundCode(event.data)) };
    case 'ContestAnnounced':
      return { ...state, phase: 'announced' };
    case 'ContestStarted':
    case 'ContestReopened':
      return { ...state, phase: 'ongoing' };
    case 'ContestKeyIssued':
      return { ...state, keyIds: state.keyIds.add(event.data.keyId) };
    case 'CompetitorsNumbered': {
      const { competitors } = event.data;
      const given = competitors.map(({ personId, number }): [number, number] => [personId, number]);
      return { ...state, competitorNumbers: state.competitorNumbers.concat(given) };
    }
    case 'ContestEnding':
      return { ...state, phase: 'ending', ending: event.data.ending };
    case 'ContestFinished':
      return ended(state, 'finished');
    case 'ContestDeleted':
      return ended(state, 'deleted');
    default:
      event satisfies never;
      return state;
  }
};
