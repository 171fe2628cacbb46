/**
 * The history of a round's results, told from the round's own stream: the events are the history, so nothing is kept
 * beside them and every entry spares the projector a row.
 */
import type { ResultChangeView } from '../contests/contest.queries.js';
import type { RoundFormat } from '../domain/attempts.js';
import type { RecordedEvent } from '../eventstore/event-store.js';
import { UPCASTERS, type Upcasters } from '../eventstore/upcasters.js';
import { changeOf, type ResultEvent } from '../rankings/result-changes.js';
import type { RoundEvent } from './round.events.js';

/** Every change of a result, oldest first. `events` are those of one round's stream, from its first. */
export const resultHistory = (
  events: readonly RecordedEvent[],
  upcasters: Upcasters = UPCASTERS,
): readonly ResultChangeView[] => {
  const attempts = new Map<string, readonly number[]>();
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
        const step = stepOf(recorded, event, { format, before: attempts.get(event.data.resultId) ?? [] });
        attempts.set(step.resultId, step.attempts);
        history.push(step);
        break;
      }
      case 'RoundClosed':
      case 'RoundReopened':
      case 'EntryRepeated':
      case 'CompetitorMerged':
        break;
      default:
        event satisfies never;
    }
  }
  return history;
};

const stepOf = (
  { metadata, recordedAt }: RecordedEvent,
  event: ResultEvent,
  { format, before }: { readonly format: RoundFormat; readonly before: readonly number[] },
): ResultChangeView => {
  const { resultId, personIds } = event.data;
  return {
    resultId,
    personIds,
    ...changeOf(before, format, event),
    actor: metadata.actor,
    keyId: metadata.keyId ?? null,
    at: new Date(recordedAt).toISOString(),
  };
};
