/**
 * Finds the records that the values of a card are, by what the server said stands on the day of the round. A typist is asked
 * before such a value is saved. For a world record the answer is "WR".
 */
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type {
  EntrySheetView,
  HeldStep,
  StandingRecord,
  StandingView,
} from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import type { ValueFormat } from '../../../../../src/domain/attempts.js';
import { type RecordTag, recordName } from '../../../../../src/domain/record-tags.js';
import { continentOf, parseRegion, regionName, regionOf } from '../../../../../src/domain/regions.js';
import { rankedValue, VALUE_KINDS, type ValueKind } from '../../../../../src/domain/results.js';
import type { Scored } from '../../../../../src/domain/scoring.js';
import { averageText, resultText } from '../../../format.js';

/** What the values of one competitor are judged by. */
export interface OwnStanding extends Pick<StandingView, 'category'> {
  /** Of the world, the continent and the country, in this order, where a record stands. */
  readonly records: readonly StandingRecord[];
  /** The best single before the day of the round; null: there is none. */
  readonly ownBest: number | null;
}

/** `regionCode`: of the result on its day; undefined: the team has no result, and its present region counts. */
export const standingFor = (
  team: readonly PersonView[],
  { standing: { category, records, bests } }: Pick<EntrySheetView, 'standing'>,
  regionCode = regionOf(team.map((person) => person.regionCode)),
): OwnStanding => {
  const regions = new Set([null, regionCode, regionCode && continentOf(regionCode)]);
  const own = bests.filter(
    ({ personId, kind }) => kind === 'single' && team.some(({ id }) => id === personId),
  );
  return {
    category,
    records: records
      .filter(({ region }) => regions.has(region))
      .toSorted((a, b) => RANKS.indexOf(tagIn(a)) - RANKS.indexOf(tagIn(b))),
    ownBest: own.length === 0 ? null : Math.min(...own.map(({ value }) => value)),
  };
};

const RANKS: readonly RecordTag[] = ['WR', 'CR', 'NR'];

const tagIn = ({ region }: StandingRecord): RecordTag => {
  if (region === null) return 'WR';
  return parseRegion(region)?.kind === 'continent' ? 'CR' : 'NR';
};

export interface RecordClaim {
  readonly tag: RecordTag;
  readonly kind: ValueKind;
  readonly value: number;
  readonly region: string | null;
  /** The record that the value equals or beats. */
  readonly former: HeldStep;
}

/** At most one for the single and one for the average: the widest. `stored`: the values that the round has of the competitor. */
export const recordClaims = (
  score: Scored,
  stored: Scored | null,
  { records }: OwnStanding,
): readonly RecordClaim[] =>
  VALUE_KINDS.flatMap((kind) => {
    const value = rankedValue(score, kind);
    if (value <= 0) return [];
    const own = stored && rankedValue(stored, kind);
    const claims = records.flatMap((record): readonly RecordClaim[] => {
      const former = record.kind === kind ? formerOf(record, own) : undefined;
      if (former === undefined || value > former.value) return [];
      return [{ tag: tagIn(record), kind, value, region: record.region, former }];
    });
    return claims.slice(0, 1);
  });

/** The record without the competitor's own value, which may be the record of the day. */
const formerOf = ({ steps: [before, ofTheDay] }: StandingRecord, own: number | null): HeldStep | undefined =>
  ofTheDay === undefined || ofTheDay.value === own ? before : ofTheDay;

/** `National record of Ireland, single 9.00. It was 9.50, by Ada on 2025-05-01.` */
export const claimText = (
  { tag, kind, value, region, former }: RecordClaim,
  { category }: Pick<OwnStanding, 'category'>,
  format: ValueFormat,
): string => {
  const text = kind === 'single' ? resultText : averageText;
  const where = region === null ? '' : ` (${regionName(region) ?? region})`;
  const by = former.holders.length === 0 ? '' : `, by ${former.holders.join(' & ')}`;
  const record = `${recordName(tag, category)}${where}, ${kind} ${text(value, format)}`;
  return `${record}. It was ${text(former.value, format)}${by} on ${former.date}.`;
};
