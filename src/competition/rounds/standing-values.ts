/**
 * What stands on the day of a round, so that the entry desk judges a value without asking the server: the records of the world and
 * of the competitors' regions, and the competitors' own bests. The steps of the records tell both, as they tell the tags of results.
 * Reference records and known bests stand like results.
 */
import type { RoundRules } from '../../domain/attempts.js';
import { personalStepsId, recordId } from '../../domain/rankings.js';
import { mergedSteps, type RecordStep } from '../../domain/record-steps.js';
import { countedBoards } from '../../domain/record-tags.js';
import { continentOf } from '../../domain/regions.js';
import {
  boardKindOf,
  boardName,
  type OneCategory,
  VALUE_KINDS,
  type ValueKind,
} from '../../domain/results.js';
import { attemptsOf, padded } from '../../domain/scoring.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { PersonView } from '../persons/person.queries.js';
import type { PersonDirectory } from '../persons/person-directory.js';
import { personalSteps, type RecordDocument, records } from '../results/ranking-documents.js';
import { holdersOf } from '../results/step-holders.js';
import type { HeldStep, OwnBest, StandingRecord, StandingView } from './entry-sheet.queries.js';

interface Field {
  readonly spaceId: string;
  readonly event: EventDefinition;
  readonly category: OneCategory;
  readonly format: RoundRules['format'];
  /** The day of the round: YYYY-MM-DD. */
  readonly date: string;
  readonly competitors: readonly PersonView[];
}

interface Board {
  readonly kind: ValueKind;
  readonly board: string;
}

export const standingValues = async (
  view: ReadView,
  directory: PersonDirectory,
  field: Field,
): Promise<StandingView> => {
  const boards = boardsOfField(field);
  const [standing, bests] = await Promise.all([
    standingRecords(view, field, boards),
    ownBests(view, field, boards),
  ]);
  const holders = standing.flatMap(({ steps }) => steps.flatMap(({ personIds }) => personIds));
  const persons = await directory.views(view, holders);
  const named = ({ personIds, ...step }: FoundStep): HeldStep => ({
    ...step,
    holders: personIds.flatMap((id) => persons.get(id)?.name ?? []),
  });
  const { category } = field;
  return {
    category,
    records: standing.map((record) => ({ ...record, steps: record.steps.map(named) })),
    bests,
  };
};

/** Averages of another format than the event's own count for no record. */
const boardsOfField = ({ spaceId, event, category, format }: Field): readonly Board[] => {
  const counted = countedBoards(spaceId, [event]);
  const attempts = padded([], format);
  return VALUE_KINDS.map((kind) => ({
    kind,
    board: boardName(spaceId, event.eventId, boardKindOf({ attempts }, kind), category),
  })).filter(({ kind, board }) => counted.has(board) && (kind === 'single' || attemptsOf(format) >= 3));
};

// --- records --------------------------------------------------------------------------------------------------------

interface FoundStep extends RecordStep {
  readonly personIds: readonly number[];
}

type FoundRecord = Omit<StandingRecord, 'steps'> & { readonly steps: readonly FoundStep[] };

const standingRecords = async (
  view: ReadView,
  { competitors, date }: Field,
  boards: readonly Board[],
): Promise<readonly FoundRecord[]> => {
  const countries = new Set(competitors.flatMap(({ regionCode }) => regionCode ?? []));
  const continents = new Set([...countries].flatMap((code) => continentOf(code) ?? []));
  const ids = boards.flatMap(({ board }) =>
    [null, ...continents, ...countries].map((region) => recordId(board, region)),
  );
  const found = (await view.getMany(records, ids)).flatMap((document) => document ?? []);
  const standing = await Promise.all(found.map((record) => heldSteps(view, record, date)));
  return standing.filter(({ steps }) => steps.length > 0);
};

/**
 * The last step before the day, and that of the day, which a result of this very round may have made; reference records count. A
 * board without a record before the day has none to beat.
 */
const heldSteps = async (view: ReadView, record: RecordDocument, date: string): Promise<FoundRecord> => {
  const { kind, region, references = [] } = record;
  const all = mergedSteps([record.steps, references]);
  const before = all.findLast((step) => step.date < date);
  const ofTheDay = all.find((step) => step.date === date);
  const shown = before === undefined ? [] : [before, ...(ofTheDay === undefined ? [] : [ofTheDay])];
  const steps = shown.map(async (step): Promise<FoundStep> => {
    const [holder] = await holdersOf(view, record, step);
    const reference = references.find(({ date: day, value }) => day === step.date && value === step.value);
    const outside = reference?.holderId ?? null;
    return { ...step, personIds: holder?.personIds ?? (outside === null ? [] : [outside]) };
  });
  return { kind, region, steps: await Promise.all(steps) };
};

// --- own bests ------------------------------------------------------------------------------------------------------

const ownBests = async (
  view: ReadView,
  { competitors, date }: Field,
  boards: readonly Board[],
): Promise<readonly OwnBest[]> => {
  const asked = boards.flatMap(({ kind, board }) =>
    competitors.map(({ id: personId }) => ({ personId, kind, id: personalStepsId(board, personId) })),
  );
  const found = await view.getMany(
    personalSteps,
    asked.map(({ id }) => id),
  );
  return asked.flatMap(({ personId, kind }, index) => {
    const { steps = [], references = [] } = found[index] ?? {};
    const value = mergedSteps([steps, references]).findLast((step) => step.date < date)?.value;
    return value === undefined ? [] : [{ personId, kind, value }];
  });
};
