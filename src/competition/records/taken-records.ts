/**
 * Finds what was a record until the space got a reference record that beats it, and when references last changed what a
 * record is a record of.
 */

import { recordId } from '../../domain/rankings.js';
import { isBeaten } from '../../domain/record-steps.js';
import { countedBoards, type EventOfTags } from '../../domain/record-tags.js';
import { boardOf, enteredAt, rankedValue } from '../../domain/results.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { type RecordDocument, records } from '../results/ranking-documents.js';
import { judgedAt, takenBy } from '../results/reference-steps.js';
import {
  type FoundRecord,
  newestRecords,
  type RecentFilter,
  type RecentRecord,
  recordIdOf,
} from './recent-records.js';
import { MAX_LOOKED_AT, type WithdrawnRecord } from './withdrawn-records.js';

/** A result may be entered before its day, where that is the last one of a contest: hardly so much earlier. */
const EARLY_MS = 7 * 24 * 60 * 60 * 1_000;

/** Newest first, none older than `since`: milliseconds since 1970. */
export const takenRecords = async (
  view: ReadView,
  filter: RecentFilter,
  { events, since }: { readonly events: readonly EventOfTags[]; readonly since: number },
): Promise<readonly WithdrawnRecord[]> => {
  const found = await newestRecords(view, filter, {
    since,
    after: null,
    limit: MAX_LOOKED_AT,
    counted: countedBoards(filter.spaceId, events),
    isWanted: ({ references = [] }, step) =>
      (takenBy(references, step)?.at ?? 0) > Date.parse(step.date) - EARLY_MS,
  });
  const ranges = await rangesOf(view, found, ({ regionCode }) => [regionCode]);
  return found.flatMap((record, index): readonly WithdrawnRecord[] => {
    const { result, kind, newsAt } = record;
    const [range] = ranges[index] ?? [];
    const value = rankedValue(result, kind);
    const reference = takenBy(range?.references ?? [], { date: result.date, value });
    if (reference === null || reference.at <= enteredAt(result, kind)) return [];
    return [
      {
        result,
        kind,
        value,
        newsAt,
        withdrawnAt: reference.at,
        region: result.regionCode,
        beatenBy: null,
        takenBy: reference,
        standing: value,
        isRecord: false,
      },
    ];
  });
};

/** By the id of the record: when references last changed its tag, in milliseconds since 1970; 0: never. */
export const judgedTimes = async (
  view: ReadView,
  standing: readonly RecentRecord[],
): Promise<ReadonlyMap<string, number>> => {
  const ranges = await rangesOf(view, standing, ({ regionCode, continent }) => [null, continent, regionCode]);
  return new Map(
    standing.map((record, index) => {
      const made = { date: record.result.date, value: rankedValue(record.result, record.kind) };
      // Elsewhere a result beats it, and references change nothing.
      const open = (ranges[index] ?? []).filter(({ steps }) => !isBeaten(steps, made));
      const times = open.map(({ references = [], formerReferences = [] }) =>
        judgedAt({ references, former: formerReferences }, made),
      );
      return [recordIdOf(record), Math.max(0, ...times)];
    }),
  );
};

/** For each record, in their order: the documents of its board in these regions. */
const rangesOf = async (
  view: ReadView,
  found: readonly FoundRecord[],
  regionsOf: (result: FoundRecord['result']) => readonly (string | null)[],
): Promise<readonly (readonly RecordDocument[])[]> => {
  const ids = found.map(({ result, kind }) => {
    const board = boardOf(result, kind);
    return board === null ? [] : regionsOf(result).map((region) => recordId(board, region));
  });
  const known = await view.getMany(records, [...new Set(ids.flat())]);
  const byId = new Map(known.flatMap((range) => (range === null ? [] : [[range.id, range]])));
  return ids.map((each) => each.flatMap((id) => byId.get(id) ?? []));
};
