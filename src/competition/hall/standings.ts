/**
 * Reads what results of a round have to equal to be records, on the day of the round: those of the world, the continent and
 * the country, and the persons' own. They are the steps by which results have their tags.
 */

import { personalStepsId, recordId } from '../../domain/rankings.js';
import type { Standing, Standings } from '../../domain/record-needs.js';
import { recordOn } from '../../domain/record-steps.js';
import { countedBoards, type EventOfTags, type Steps } from '../../domain/record-tags.js';
import { boardKindOf, boardName, type Result, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { personalSteps, records } from '../results/ranking-documents.js';
import { stepsOf } from '../results/record-tags.js';

/** Returns the standings of each result of one event by its result id. */
export const standingsOf = async (
  view: ReadView,
  shown: readonly Result[],
  event: EventOfTags,
): Promise<ReadonlyMap<string, Standings>> => {
  const counted = countedBoards(shown[0]?.spaceId ?? '', [event]);
  const boardFor = (result: Result, kind: ValueKind): string | null => {
    const board = boardName(result.spaceId, result.eventId, boardKindOf(result, kind), result.category);
    return counted.has(board) ? board : null;
  };
  const boards = shown.flatMap((result) =>
    VALUE_KINDS.flatMap((kind) => {
      const board = boardFor(result, kind);
      return board === null ? [] : [{ result, board }];
    }),
  );
  const ofRegions = await stepsOf(
    view,
    records,
    boards.flatMap(({ result: { continent, regionCode }, board }) =>
      [null, continent, regionCode].map((region) => recordId(board, region)),
    ),
  );
  const ofPersons = await stepsOf(
    view,
    personalSteps,
    boards.flatMap(({ result, board }) => result.personIds.map((id) => personalStepsId(board, id))),
  );
  const standing = (result: Result, kind: ValueKind): Standing | null => {
    const board = boardFor(result, kind);
    if (board === null) return null;
    const { date, continent, regionCode, personIds } = result;
    const record = (region: string | null): number =>
      standingOn(ofRegions.get(recordId(board, region)), date);
    return {
      WR: record(null),
      CR: continent === null ? null : record(continent),
      NR: regionCode === null || regionCode === continent ? null : record(regionCode),
      PR: bestKnown(personIds.map((id) => standingOn(ofPersons.get(personalStepsId(board, id)), date))),
    };
  };
  return new Map(
    shown.map((result) => [
      result.resultId,
      { single: standing(result, 'single'), average: standing(result, 'average') },
    ]),
  );
};

const NONE_YET = 0;

/** The better one of what results and references say. */
const standingOn = (known: Steps | undefined, date: string): number =>
  bestKnown([known?.steps, known?.references].map((steps) => recordOn(steps ?? [], date) ?? NONE_YET));

/** The best that is known. A result of a team is a personal record when it is one of each member, so it has to equal the best of them. */
const bestKnown = (bests: readonly number[]): number => {
  const known = bests.filter((best) => best !== NONE_YET);
  return known.length === 0 ? NONE_YET : Math.min(...known);
};
