/** The history of a round's results, read from the round's own stream. So no projection has to store it. */

import type { RoundFormat } from '../../domain/attempts.js';
import { attemptsAfter } from '../../domain/results.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { UPCASTERS, type Upcasters } from '../../foundation/event-store/upcasters.js';
import type { RoundEvent } from '../aggregates/round/round.js';

/** One entry of a result's history, oldest first. */
export interface ResultChangeView {
  readonly resultId: string;
  readonly personIds: readonly number[];
  readonly change: 'entered' | 'corrected' | 'cleared' | 'replaced' | 'removed';
  /** The attempt's number; null: the whole result changed. */
  readonly attemptNumber: number | null;
  /** The attempts after the change. */
  readonly attempts: readonly number[];
  /** Its number among the changes of its result, from 1. */
  readonly number: number;
  /** The number of the change that this one undoes; null: it undoes none. */
  readonly undoes: number | null;
  readonly actor: string;
  readonly keyId: string | null;
  /** The account that made the change; null: it was made without an account. */
  readonly accountId: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The events that change a result. */
export type ResultEvent = Extract<
  RoundEvent,
  { type: 'AttemptEntered' | 'AttemptCorrected' | 'AttemptCleared' | 'ResultReplaced' | 'ResultRemoved' }
>;

/** Returns every change of a result, oldest first. `events` is the whole stream of one round. */
export const resultHistory = (
  events: readonly RecordedEvent[],
  upcasters: Upcasters = UPCASTERS,
): readonly ResultChangeView[] => {
  const results = new Map<string, ResultChangeView>();
  const history: ResultChangeView[] = [];
  let format: RoundFormat = 'a';
  for (const recorded of events) {
    const event = upcasters.domainEvent<RoundEvent>(recorded);
    switch (event.type) {
      case 'RoundOpened':
      case 'RoundRulesChanged':
        format = event.data.rules.format;
        break;
      case 'AttemptEntered':
      case 'AttemptCorrected':
      case 'AttemptCleared':
      case 'ResultReplaced':
      case 'ResultRemoved': {
        const step = stepOf(recorded, event, { format, last: results.get(event.data.resultId) });
        results.set(step.resultId, step);
        history.push(step);
        break;
      }
      case 'RoundClosed':
      case 'RoundReopened':
      case 'RoundOpeningUndone':
      case 'RosterSet':
      case 'RosterExtended':
      case 'RosterMarked':
      case 'AdvancementDecided':
      case 'ResultChecked':
      case 'EntryRepeated':
      case 'CompetitorMerged':
        break;
      default:
        event satisfies never;
    }
  }
  return history;
};

const CHANGES: Readonly<Record<ResultEvent['type'], ResultChangeView['change']>> = {
  AttemptEntered: 'entered',
  AttemptCorrected: 'corrected',
  AttemptCleared: 'cleared',
  ResultReplaced: 'replaced',
  ResultRemoved: 'removed',
};

const stepOf = (
  { metadata, recordedAt }: RecordedEvent,
  event: ResultEvent,
  { format, last }: { readonly format: RoundFormat; readonly last: ResultChangeView | undefined },
): ResultChangeView => {
  const { resultId, personIds } = event.data;
  return {
    resultId,
    personIds,
    change: CHANGES[event.type],
    attemptNumber: 'attemptNumber' in event.data ? event.data.attemptNumber : null,
    attempts: attemptsAfter(last?.attempts ?? [], format, event.data),
    number: (last?.number ?? 0) + 1,
    undoes: ('undoes' in event.data ? event.data.undoes : undefined) ?? null,
    actor: metadata.actor,
    keyId: metadata.keyId ?? null,
    accountId: metadata.accountId ?? null,
    at: new Date(recordedAt).toISOString(),
  };
};
