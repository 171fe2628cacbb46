/**
 * The history of a round, read from its own stream: each change of a result, of the roster, and of the round itself. So no projection
 * has to store it.
 */

import type { RoundFormat } from '../../domain/attempts.js';
import { attemptsAfter } from '../../domain/results.js';
import type { Members } from '../../domain/roster.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { UPCASTERS } from '../../foundation/event-store/upcasters.js';
import type { RoundEvent } from '../aggregates/round/round.js';

/** Who has made a change. */
export interface Author {
  readonly actor: string;
  readonly keyId: string | null;
  /** The account that made the change; null: it was made without an account. */
  readonly accountId: string | null;
}

/** Who has made a change, and when. */
interface Made extends Author {
  /** ISO 8601, UTC. */
  readonly at: string;
}

export const RESULT_CHANGES = ['entered', 'corrected', 'cleared', 'replaced', 'removed'] as const;
export type ResultChange = (typeof RESULT_CHANGES)[number];

/** One change of a result. */
export interface ResultChangeView extends Made {
  readonly kind: 'result';
  readonly resultId: string;
  readonly personIds: readonly number[];
  readonly change: ResultChange;
  /** The attempt's number; null: the whole result changed. */
  readonly attemptNumber: number | null;
  /** The attempts after the change. */
  readonly attempts: readonly number[];
  /** Its number among the changes of its result, from 1. */
  readonly number: number;
  /** The number of the change that this one undoes; null: it undoes none. */
  readonly undoes: number | null;
}

/** What happens to the round itself; who is expected at its opening, comes in addition, is marked so, and advances from it. */
export const ROUND_CHANGES = [
  'opened',
  'closed',
  'reopened',
  'opening-undone',
  'roster-set',
  'added',
  'expected',
  'no-show',
  'withdrawn',
  'quit',
  'advanced',
] as const;
export type RoundChange = (typeof ROUND_CHANGES)[number];

/** One change of the round or its roster. */
export interface RoundChangeView extends Made {
  readonly kind: 'round';
  readonly change: RoundChange;
  /** The persons of each competitor that it concerns. */
  readonly competitors: readonly Members[];
  /** The roster follows the competitor list. */
  readonly byList: boolean;
}

export type HistoryStep = ResultChangeView | RoundChangeView;

/** The events that change a result. */
export type ResultEvent = Extract<
  RoundEvent,
  { type: 'AttemptEntered' | 'AttemptCorrected' | 'AttemptCleared' | 'ResultReplaced' | 'ResultRemoved' }
>;

/** Oldest first. `events` is the whole stream of one round. */
export const roundHistory = (events: readonly RecordedEvent[]): readonly HistoryStep[] => {
  const results = new Map<string, ResultChangeView>();
  const history: HistoryStep[] = [];
  let format: RoundFormat = 'a';
  for (const recorded of events) {
    const event = UPCASTERS.domainEvent<RoundEvent>(recorded);
    const ofRound = (change: RoundChange, competitors: readonly Members[] = [], byList = false): void => {
      history.push({ kind: 'round', change, competitors, byList, ...madeBy(recorded) });
    };
    switch (event.type) {
      case 'RoundOpened':
        format = event.data.rules.format;
        ofRound('opened');
        break;
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
        ofRound('closed');
        break;
      case 'RoundReopened':
        ofRound('reopened');
        break;
      case 'RoundOpeningUndone':
        ofRound('opening-undone');
        break;
      case 'RosterSet':
        ofRound('roster-set', event.data.competitors);
        break;
      case 'RosterExtended':
        ofRound('added', event.data.competitors, event.data.byList);
        break;
      case 'RosterMarked':
        ofRound(event.data.mark, event.data.competitors, event.data.byList);
        break;
      case 'AdvancementDecided':
        ofRound('advanced', event.data.competitors);
        break;
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

/** Every change of a result, oldest first. */
export const resultHistory = (events: readonly RecordedEvent[]): readonly ResultChangeView[] =>
  roundHistory(events).filter((step) => step.kind === 'result');

export const isResultEvent = (event: RoundEvent): event is ResultEvent => Object.hasOwn(CHANGES, event.type);

const CHANGES: Readonly<Record<ResultEvent['type'], ResultChange>> = {
  AttemptEntered: 'entered',
  AttemptCorrected: 'corrected',
  AttemptCleared: 'cleared',
  ResultReplaced: 'replaced',
  ResultRemoved: 'removed',
};

export const authorOf = ({ metadata }: RecordedEvent): Author => ({
  actor: metadata.actor,
  keyId: metadata.keyId ?? null,
  accountId: metadata.accountId ?? null,
});

const madeBy = (recorded: RecordedEvent): Made => ({
  ...authorOf(recorded),
  at: new Date(recorded.recordedAt).toISOString(),
});

const stepOf = (
  recorded: RecordedEvent,
  event: ResultEvent,
  { format, last }: { readonly format: RoundFormat; readonly last: ResultChangeView | undefined },
): ResultChangeView => {
  const { resultId, personIds } = event.data;
  return {
    kind: 'result',
    resultId,
    personIds,
    change: CHANGES[event.type],
    attemptNumber: 'attemptNumber' in event.data ? event.data.attemptNumber : null,
    attempts: attemptsAfter(last?.attempts ?? [], format, event.data),
    number: (last?.number ?? 0) + 1,
    undoes: ('undoes' in event.data ? event.data.undoes : undefined) ?? null,
    ...madeBy(recorded),
  };
};
