/** The history of a round's results, read from the round's own stream. So no projection has to store it. */

import type { RoundFormat } from '../../domain/attempts.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { UPCASTERS, type Upcasters } from '../../foundation/event-store/upcasters.js';
import type { RoundEvent } from '../aggregates/round/round.js';
import { changeOf, type ResultChangeView, type ResultEvent } from './result-changes.js';

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

const stepOf = (
  { metadata, recordedAt }: RecordedEvent,
  event: ResultEvent,
  { format, last }: { readonly format: RoundFormat; readonly last: ResultChangeView | undefined },
): ResultChangeView => {
  const { resultId, personIds } = event.data;
  return {
    resultId,
    personIds,
    ...changeOf(last?.attempts ?? [], format, event),
    number: (last?.number ?? 0) + 1,
    undoes: ('undoes' in event.data ? event.data.undoes : undefined) ?? null,
    actor: metadata.actor,
    keyId: metadata.keyId ?? null,
    accountId: metadata.accountId ?? null,
    at: new Date(recordedAt).toISOString(),
  };
};
