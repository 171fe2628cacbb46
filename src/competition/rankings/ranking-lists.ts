/**
 * Builds a ranking list as JSON bytes, field by field in the order of the public API, from one view. It records the
 * end of each entry, so that a shorter list can be cut from a longer one.
 */

import { contestKey } from '../../domain/references.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { PersonDirectory } from '../persons/person-directory.js';
import { contestFacts, results } from '../results/ranking-documents.js';
import { requireEvent } from '../spaces/known-events.js';
import type { RankingList } from '../tags.js';
import { EntryWriter, type ListEntry } from './entry-writer.js';
import { attemptsInOrder, averagesInOrder, type Draw, personEntries } from './ranking-order.js';

export interface BuiltList {
  /** `[`, the entries separated by commas, `]`. */
  readonly bytes: Uint8Array;
  /** Offset of the end of each entry. */
  readonly ends: Uint32Array;
  /** True when the list has no more entries. */
  readonly complete: boolean;
}

/** Builds the first `topN` entries. Throws RejectedError `space-not-found`, `event-not-found`. */
export const buildRankingList = async (
  view: ReadView,
  directory: PersonDirectory,
  list: RankingList,
  topN: number,
): Promise<BuiltList> => {
  const event = await requireEvent(view, list.spaceId, list.eventId);
  const question = { view, list, event, atMost: topN };
  const entries = await (list.show === 'persons' ? personsList(question) : resultsList(question));
  const shown = entries.slice(0, topN);
  const personIds = shown.flatMap(({ result }) => result.personIds);
  const contestIds = [...new Set(shown.map(({ result }) => contestKey(result)))];
  const contests = await view.getMany(contestFacts, contestIds);
  const writer = new EntryWriter(
    await directory.views(view, personIds),
    new Map(contestIds.map((id, index) => [id, contests[index] ?? null])),
  );
  for (const entry of shown) writer.add(entry);
  return { ...writer.finish(), complete: entries.length <= topN };
};

type Question = Parameters<typeof personEntries>[0];

/** Reads one entry more than requested, to know whether the list continues. */
const drawn = async <T>(draw: Draw<T>, atMost: number): Promise<T[]> => {
  const items: T[] = [];
  while (items.length <= atMost) {
    const item = await draw();
    if (item === null) break;
    items.push(item);
  }
  return items;
};

const personsList = async (question: Question): Promise<ListEntry[]> => {
  const entries = await drawn(personEntries(question), question.atMost);
  const ids = entries.map((entry) => entry.result);
  const shown = await question.view.getMany(results, ids);
  return entries.flatMap(({ value, personId }, index) => {
    const result = shown[index];
    return result ? [{ rankingId: `${result.resultId}_p${personId}`, value, result, personId }] : [];
  });
};

const resultsList = async (question: Question): Promise<ListEntry[]> => {
  if (question.list.type === 'single') {
    const attempts = await drawn(attemptsInOrder(question), question.atMost);
    return attempts.map(({ value, attemptNumber, result }) => ({
      rankingId: `${result.resultId}_a${attemptNumber}`,
      value,
      result,
    }));
  }
  const found = await drawn(averagesInOrder(question), question.atMost);
  return found.map((result) => ({ rankingId: result.resultId, value: result.average, result }));
};

/** Returns the list's first `topN` entries as JSON. */
export const cutList = ({ bytes, ends }: BuiltList, topN: number): Buffer => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = ends[topN - 1];
  if (end === undefined || topN === ends.length) return whole;
  const cut = Buffer.allocUnsafe(end + 1);
  whole.copy(cut, 0, 0, end);
  cut[end] = CLOSING_BRACKET;
  return cut;
};

const CLOSING_BRACKET = 0x5d;
