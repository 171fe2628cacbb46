/**
 * Who has entered the present value of each attempt of a round, folded from the round's stream. Unlike the history it goes on from
 * where it was, because every entry desk asks for it again every few seconds.
 */
import { Map as ImmutableMap } from 'immutable';
import { NOT_TAKEN, type RoundFormat } from '../../domain/attempts.js';
import { attemptsAfter } from '../../domain/results.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { UPCASTERS } from '../../foundation/event-store/upcasters.js';
import type { RoundEvent } from '../aggregates/round/round.js';
import { type Author, authorOf, isResultEvent } from './round-history.js';

interface AuthoredResult {
  readonly attempts: readonly number[];
  /** Of each attempt; null: it is not taken. */
  readonly authors: readonly (Author | null)[];
}

export interface EntryAuthors {
  readonly format: RoundFormat;
  /** By result id. */
  readonly results: ImmutableMap<string, AuthoredResult>;
}

export const NO_AUTHORS: EntryAuthors = { format: 'a', results: ImmutableMap() };

/** A value that a change leaves as it was keeps its author. */
export const authorsAfter = (state: EntryAuthors, recorded: RecordedEvent): EntryAuthors => {
  const event = UPCASTERS.domainEvent<RoundEvent>(recorded);
  if (event.type === 'RoundOpened' || event.type === 'RoundRulesChanged')
    return { ...state, format: event.data.rules.format };
  if (!isResultEvent(event)) return state;
  const { resultId } = event.data;
  if (event.type === 'ResultRemoved') return { ...state, results: state.results.delete(resultId) };
  const before = state.results.get(resultId);
  const attempts = attemptsAfter(before?.attempts ?? [], state.format, event.data);
  const authors = attempts.map((value, index) => {
    if (value === NOT_TAKEN) return null;
    return (value === before?.attempts[index] ? before.authors[index] : null) ?? authorOf(recorded);
  });
  return { ...state, results: state.results.set(resultId, { attempts, authors }) };
};
