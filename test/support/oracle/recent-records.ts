/**
 * What the oracle says of the newest records: which they are, in the order of their days, and what each took the place of. All
 * that the tests enter is entered long after its day, so the times of entry do not matter. And which values were corrected
 * away that would be records if they stood.
 */
import { CATEGORY_OF, type Candidate, candidates, isOfOwnFormat, type OracleList } from './candidates.js';
import { oracleTags } from './record-tags.js';
import { referencesIn, shownOf } from './references.js';
import { CONTINENT_CODES, countsIn } from './regions.js';
import { type OracleWorld, personShown, type Round, resultFacts } from './world.js';

type Filter = Pick<OracleList, 'category' | 'region'>;
type Board = Pick<OracleList, 'eventId' | 'category'> & { readonly type: 'single' | 'average' };

const TYPES = ['single', 'average'] as const;
const CATEGORIES = ['competitions', 'meetups', 'online'] as const;

const boardsOf = (world: OracleWorld, category: OracleList['category']): readonly Board[] =>
  [...world.events.keys()].flatMap((eventId) =>
    TYPES.flatMap((type) =>
      CATEGORIES.filter((one) => category === 'all' || one === category).map((one) => ({
        eventId,
        type,
        category: one,
      })),
    ),
  );

/** The value of each result that competes in a region, once. */
const valuesIn = (world: OracleWorld, board: Board, region: string | null): readonly Candidate[] =>
  candidates(world, { ...board, show: 'results', region }).filter(
    ({ attemptNumber, result }) =>
      attemptNumber === 0 || attemptNumber === 1 + result.attempts.indexOf(result.best),
  );

const LABELS = { competitions: '', meetups: 'Meetup ', online: 'Online ', all: '' } as const;

export const oracleRecent = (world: OracleWorld, { category, region }: Filter): readonly object[] =>
  boardsOf(world, category)
    .flatMap((board) => {
      const tags = oracleTags(world, board);
      return valuesIn(world, board, region).flatMap((one) => {
        const tag = tags.get(one.result.resultId);
        return tag === undefined || tag === 'PR' ? [] : [{ board, tag, one }];
      });
    })
    .map(({ board, tag, one }) => {
      const { result, value, contest, roundNumber } = one;
      const ofTag = { WR: null, CR: continentOf(result.regionCode), NR: result.regionCode }[tag];
      const before = valuesIn(world, board, ofTag).filter((other) => other.result.date < result.date);
      const references = referencesIn(world, { ...board, region: ofTag }).filter(
        ({ since }) => since < result.date,
      );
      const best = Math.min(...[...before, ...references].map((other) => other.value));
      const ofBest = references.filter((reference) => reference.value === best);
      const since = ofBest
        .map((reference) => reference.since)
        .sort()
        .at(-1);
      const isOwn = before.some((other) => other.value === best && other.result.date === since);
      const former = shownOf(
        ofBest.filter((reference) => reference.since === since),
        ofTag,
      );
      return {
        recordId: `${board.eventId}/${board.type}/${result.resultId}`,
        tag,
        label: `${LABELS[board.category]}${tag}`,
        region: ofTag,
        category: board.category,
        eventId: board.eventId,
        type: board.type,
        resultId: result.resultId,
        persons: result.personIds.map((personId) => personShown(world, personId)),
        result: value,
        attempts: result.attempts.map((attempt) => ({ result: attempt })),
        date: result.date,
        contest,
        roundNumber,
        regionCode: result.regionCode,
        tie: value === best,
        previous: before
          .filter((other) => other.value === best)
          .sort(
            (a, b) => byText(a.result.date, b.result.date) || byText(a.result.resultId, b.result.resultId),
          )
          .map((other) => ({
            resultId: other.result.resultId,
            persons: other.result.personIds.map((personId) => personShown(world, personId)),
            result: other.value,
            date: other.result.date,
            contest: other.contest,
          })),
        previousReference: former && !isOwn ? { result: best, who: former.who, since: former.since } : null,
      };
    })
    .sort((a, b) => byText(b.date, a.date) || byText(a.recordId, b.recordId));

/**
 * What would be a record of its region if there were no references, with each reference that beats it. Which of these came after
 * the result is not asked: the times of entry are the server's.
 */
export const oracleTakeable = (world: OracleWorld, { category, region }: Filter): readonly object[] =>
  boardsOf(world, category).flatMap((board) =>
    valuesIn(world, board, region).flatMap(({ result: { resultId, regionCode, date }, value }) => {
      const own = { ...board, region: regionCode };
      const isBeaten = valuesIn(world, board, regionCode).some(
        (other) => other.value < value && other.result.date <= date,
      );
      if (isBeaten) return [];
      return referencesIn(world, own)
        .filter((reference) => reference.value < value && reference.since <= date)
        .map(({ value: better, who, since }) => ({
          recordId: `${board.eventId}/${board.type}/${resultId}`,
          result: value,
          takenBy: { result: better, who, since },
        }));
    }),
  );

/** Each with the value that was lost; sorted. */
export const oracleWithdrawn = (world: OracleWorld, { category, region }: Filter): readonly string[] =>
  boardsOf(world, category)
    .flatMap((board) =>
      roundsOf(world, board).flatMap((round) =>
        lostIn(round, board.type).flatMap(({ resultId, value }) => {
          const [last] = round.changes.filter(({ result }) => result.resultId === resultId).slice(-1);
          const present = round.results.find((result) => result.resultId === resultId);
          if (last === undefined) return [];
          const facts = resultFacts(world, round, present ?? last.result);
          const { regionCode, date } = facts;
          const now = present === undefined ? 0 : board.type === 'single' ? facts.best : facts.average;
          const tag = oracleTags(world, board).get(resultId) ?? 'PR';
          const isBeaten =
            valuesIn(world, board, regionCode).some(
              (other) => other.value < value && other.result.date <= date,
            ) ||
            referencesIn(world, { ...board, region: regionCode }).some(
              (other) => other.value < value && other.since <= date,
            );
          const isCounted = board.type === 'single' || isOfOwnFormat(world, board.eventId, facts);
          if (isBeaten || !isCounted || !countsIn(regionCode, region)) return [];
          if (now > 0 && (now <= value || tag !== 'PR')) return [];
          return [`${board.eventId}/${board.type}/${resultId} ${value} ${Math.max(0, now)}`];
        }),
      ),
    )
    .sort();

const roundsOf = (world: OracleWorld, { eventId, category }: Board): readonly Round[] =>
  world.rounds.filter((round) => {
    const contest = world.contests.get(round.competitionId);
    if (contest === undefined || contest.state === 'draft' || contest.state === 'deleted') return false;
    return round.eventId === eventId && CATEGORY_OF[contest.type] === category;
  });

/** The best value that each result of the round has lost. */
const lostIn = (
  round: Round,
  type: Board['type'],
): readonly { readonly resultId: string; readonly value: number }[] => {
  const best = new Map<string, number>();
  for (const { result, lost } of round.changes) {
    const value = lost[type];
    if (value !== null) best.set(result.resultId, Math.min(value, best.get(result.resultId) ?? value));
  }
  return [...best].map(([resultId, value]) => ({ resultId, value }));
};

const continentOf = (regionCode: string | null): string | null =>
  CONTINENT_CODES.find((code) => countsIn(regionCode, code)) ?? null;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
