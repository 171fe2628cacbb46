/** Finds the results and the reference records that were a record, from the steps of its boards. */

import { boardsOfList, type RankedRange, type RecordList, recordId } from '../../domain/rankings.js';

import { mergedSteps, type RecordStep, type RecordSteps, stepsMissingIn } from '../../domain/record-steps.js';
import { oldestFirst, type ValueKind } from '../../domain/results.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { type ResultDocument, records } from '../results/ranking-documents.js';

import type { ReferenceStep } from '../results/reference-steps.js';
import { holdersOf } from '../results/step-holders.js';

/** A result that was the record. */
export interface RecordHolder {
  readonly result: ResultDocument;
  readonly value: number;
  readonly tie: boolean;
  /** YYYY-MM-DD; null: it stands. */
  readonly until: string | null;
}

/** A reference record that was the record, and that no result of its day equalled. */
export interface ReferenceHolder extends Pick<RecordHolder, 'value' | 'tie' | 'until'> {
  readonly since: string;
  /** Names the holder in the operational store; null: not given. */
  readonly holderId: number | null;
}

export interface RecordHolders {
  readonly results: readonly RecordHolder[];
  readonly references: readonly ReferenceHolder[];
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
  readonly references: readonly ReferenceStep[];
}

/** Oldest first; results of one day by result id. */
export const recordHolders = async (question: Question): Promise<RecordHolders> => {
  const races = await racesOf(question);
  const steps = mergedSteps(races.flatMap((race) => [race.steps, race.references]));
  const standing = steps.at(-1)?.value;
  const shown = question.which === 'all' ? steps : steps.filter(({ value }) => value === standing);
  const found = await Promise.all(
    shown.map(async (step): Promise<RecordHolders> => {
      const { value, date } = step;
      const tie = steps.some((other) => other.value === value && other.date < date);
      const until = steps.find((other) => other.value < value)?.date ?? null;
      const held = await resultsBehind(question.view, races, step);
      const reference = held.length > 0 ? undefined : referenceBehind(races, step);
      return {
        results: held.map((result) => ({ result, value, tie, until })),
        references: reference ? [{ since: date, value, tie, until, holderId: reference.holderId }] : [],
      };
    }),
  );
  return {
    results: found.flatMap(({ results }) => results),
    references: found.flatMap(({ references }) => references),
  };
};

const referenceBehind = (races: readonly Race[], { date, value }: RecordStep): ReferenceStep | undefined =>
  races
    .flatMap(({ references }) => references)
    .find((reference) => reference.date === date && reference.value === value);

const racesOf = async ({ view, list, kind, event }: Question): Promise<readonly Race[]> => {
  const { region } = list;
  const ranges = boardsOfList({ ...list, type: kind }, event).map((board) => ({ kind, board, region }));
  const known = await view.getMany(
    records,
    ranges.map(({ board }) => recordId(board, region)),
  );
  return ranges.map((range, index) => {
    const { steps = [], references = [] } = known[index] ?? {};
    return { range, steps, references };
  });
};

/** A board without this step has no such result. */
const resultsBehind = async (
  view: ReadView,
  races: readonly Race[],
  step: RecordStep,
): Promise<readonly ResultDocument[]> => {
  const reached = races.filter(({ steps }) => stepsMissingIn([step], steps).length === 0);
  const found = await Promise.all(reached.map(({ range }) => holdersOf(view, range, step)));
  return found.flat().sort(oldestFirst);
};
