/**
 * Finds the results behind the steps of a record. For each step these are the results with its value, from its day
 * until the next step.
 */

import type { RecordList } from '../../domain/rankings.js';
import { beforeResults, boardsOf, type RankedRange, rangeOf } from '../../domain/rankings.js';
import { mergedSteps, type RecordStep, type RecordSteps } from '../../domain/record-steps.js';
import { oldestFirst, rankedValue, type ValueKind } from '../../domain/results.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { type ResultDocument, results } from '../results/ranking-documents.js';
import { recordId, records } from '../results/record-keeper.js';

/** A result that was the record. */
export interface RecordHolder {
  readonly result: ResultDocument;
  readonly value: number;
  readonly tie: boolean;
  /** YYYY-MM-DD; null: it stands. */
  readonly until: string | null;
}

interface Question {
  readonly view: ReadView;
  readonly list: RecordList;
  readonly kind: ValueKind;
  readonly event: Pick<EventDefinition, 'defaultRoundFormat'>;
  /** `current`: only the last step. */
  readonly which: 'current' | 'all';
}

/** One board of the list, with the steps of its record. */
interface Race {
  readonly range: RankedRange;
  readonly steps: RecordSteps;
}

/** Oldest first, then by result id. */
export const recordHolders = async (question: Question): Promise<readonly RecordHolder[]> => {
  const races = await racesOf(question);
  const steps = mergedSteps(races.map((race) => race.steps));
  const first = question.which === 'current' ? Math.max(0, steps.length - 1) : 0;
  const found = await Promise.all(
    steps.slice(first).map((step, index) => {
      const until = steps[first + index + 1]?.date ?? null;
      return holdersOf(question.view, races, step, until);
    }),
  );
  return found.flat();
};

const racesOf = async ({ view, list, kind, event }: Question): Promise<readonly Race[]> => {
  const { region } = list;
  const ranges = boardsOf({ ...list, type: kind }, event).map((board) => ({ kind, board, region }));
  const known = await view.getMany(
    records,
    ranges.map(({ board }) => recordId(board, region)),
  );
  return ranges.map((range, index) => ({ range, steps: known[index]?.steps ?? [] }));
};

const holdersOf = async (
  view: ReadView,
  races: readonly Race[],
  step: RecordStep,
  until: string | null,
): Promise<readonly RecordHolder[]> => {
  // On a board without a step of this value, no result of this value was a record.
  const reached = races.filter(({ steps }) => steps.some(({ value }) => value === step.value));
  const found = await Promise.all(reached.map(({ range }) => equalResults(view, range, step, until)));
  return found
    .flat()
    .sort(oldestFirst)
    .map((result) => ({ result, value: step.value, tie: result.date > step.date, until }));
};

const PAGE = 32;

/** Results with the step's value, from its day until the day `until`. */
const equalResults = async (
  view: ReadView,
  range: RankedRange,
  step: RecordStep,
  until: string | null,
): Promise<readonly ResultDocument[]> => {
  const found: ResultDocument[] = [];
  let after = beforeResults(range, step);
  for (;;) {
    const page = await view.scan(results, { ...rangeOf(range), after, limit: PAGE });
    for (const result of page) {
      if (rankedValue(result, range.kind) !== step.value || (until !== null && result.date >= until)) {
        return found;
      }
      found.push(result);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return found;
    after = last;
  }
};
