/**
 * Writes WCIF 2 from WCIF 1. It renames the values of attempts and cutoffs, and moves each advancement to the round that it
 * leads to. What Podium only keeps of a file (OpaqueParts in contest.ts) can be said in version 2 alone. Podium's own
 * extensions are the same in both versions.
 */
import { type RoundRef, roundCode, type ValueFormat } from '../../../domain/attempts.js';
import { parseRoundCode } from '../../../domain/ids.js';
import type { RoundParticipation } from '../../aggregates/contest/contest.js';
import {
  type ContestFile,
  type FileOpaqueParts,
  type FileOpaqueRound,
  type FileRound,
  fail,
} from './contest-file.js';
import {
  type DecidedCondition,
  EXTENSIONS,
  type Wcif,
  type Wcif2,
  type Wcif2Participation,
  type WcifRound,
} from './wcif.js';
import { scopeOf } from './wcif-participation.js';
import { extensionOf, Registrants, writeMulti, writeWcif } from './wcif-writer.js';

const VERSION = '2.0';

/** Throws FaultError when WCIF 2 cannot represent a rule or a result. */
export const writeWcif2 = (contest: ContestFile): Wcif2 => {
  const opaque: FileOpaqueParts = contest.opaque ?? { rounds: [], participation: [] };
  const named = opaque.rounds.flatMap(({ results }) => results.flatMap(({ competitors }) => competitors));
  const persons = new Registrants(contest, named);
  const wcif: Wcif = writeWcif(contest, persons);
  const said: Said = {
    rounds: new Map(contest.rounds.map((round) => [roundCode(round), round])),
    codes: new Set([...contest.rounds, ...opaque.rounds].map(roundCode)),
    conditions: new Map(
      wcif.events.flatMap((event) => event.rounds.map((round) => [round.id, round.advancementCondition])),
    ),
    participation: new Map(opaque.participation.map((each) => [roundCode(each), each])),
  };
  for (const round of contest.rounds) refuseUnsayable(round, said);
  return {
    ...wcif,
    formatVersion: VERSION,
    events: wcif.events.map((event) => {
      const format = contest.events.find(({ eventId }) => eventId === event.id)?.format ?? 'time';
      const duels = opaque.rounds.filter(({ eventId }) => eventId === event.id);
      return {
        ...event,
        rounds: [
          ...event.rounds.map((round) => writeRound(round, said)),
          ...duels.map((round) => writeOpaqueRound(round, { said, persons, format })),
        ].sort((a, b) => numberOf(a) - numberOf(b)),
      };
    }),
  };
};

const numberOf = ({ id }: { readonly id: string }): number => parseRoundCode(id)?.roundNumber ?? 0;

/** By the id of the round. */
interface Said {
  readonly rounds: ReadonlyMap<string, FileRound>;
  /** Also of opaque rounds. */
  readonly codes: ReadonlySet<string>;
  /** Who leaves the round, in the words of WCIF 1. */
  readonly conditions: ReadonlyMap<string, WcifRound['advancementCondition']>;
  /** What a file said, and Podium has no rules for. */
  readonly participation: ReadonlyMap<string, RoundParticipation>;
}

/** The code of the round after or before this one; null: there is none. */
const neighbour = ({ eventId, roundNumber }: RoundRef, step: 1 | -1, { codes }: Said): string | null => {
  const code = roundCode({ eventId, roundNumber: roundNumber + step });
  return codes.has(code) ? code : null;
};

const refuseUnsayable = (round: FileRound, said: Said): void => {
  if (round.rules.advancement !== null && neighbour(round, 1, said) === null)
    fail(
      round.place,
      `round ${roundCode(round)} has an advancement and no next round: WCIF 2 says an advancement at the next round`,
    );
  if (round.roundNumber > 1 && neighbour(round, -1, said) === null)
    fail(
      round.place,
      `round ${roundCode(round)} has no round before it: WCIF 2 says which round its competitors come from`,
    );
};

type Wcif2Round = Wcif2['events'][number]['rounds'][number];

const writeRound = (
  { advancementCondition: _, cutoff, results, ...round }: WcifRound,
  said: Said,
): Wcif2Round => ({
  ...round,
  ...participationOf(round.id, said),
  cutoff: cutoff && { numberOfAttempts: cutoff.numberOfAttempts, resultValue: cutoff.attemptResult },
  results: results.map(({ attempts, ...result }) => ({
    ...result,
    attempts: attempts.map(({ result: value, reconstruction }) => ({ value, reconstruction })),
  })),
});

/** As the file gave it that it is from. */
const writeOpaqueRound = (
  round: FileOpaqueRound,
  {
    said,
    persons,
    format,
  }: { readonly said: Said; readonly persons: Registrants; readonly format: ValueFormat },
): Wcif2Round => {
  const inDigits = (value: number): number =>
    format === 'multi' ? writeMulti(value, { place: round.at }) : value;
  return {
    id: roundCode(round),
    format: round.format,
    ...participationOf(roundCode(round), said),
    timeLimit: null,
    cutoff: null,
    results: round.results.map(({ competitors: [person], place, attempts, best, average }) => ({
      personId: person ? persons.idOf(person) : 0,
      ranking: place,
      attempts: attempts.map((value) => ({ value: inDigits(value), reconstruction: null })),
      best: best === null ? 0 : inDigits(best),
      average: average ?? 0,
    })),
    scrambleSetCount: 1,
    scrambleSets: [],
    extensions: [extensionOf(EXTENSIONS.round, { date: round.date })],
  };
};

const participationOf = (
  id: string,
  said: Said,
): Pick<Wcif2Round, 'linkedRounds' | 'participationRuleset'> => {
  const kept = said.participation.get(id);
  return {
    linkedRounds: kept?.linkedRounds ?? null,
    participationRuleset: {
      participationSource: sourceOf(id, said),
      reservedPlaces: kept?.reservedPlaces ?? null,
    },
  };
};

/** A rule of Podium's own, if there is one, goes before what a file said. */
const sourceOf = (id: string, said: Said): Wcif2Participation['participationSource'] => {
  const code = parseRoundCode(id);
  const roundId = code && neighbour(code, -1, said);
  const resultCondition = roundId ? conditionOf(roundId, said) : null;
  const kept = said.participation.get(id)?.source;
  if (kept && resultCondition === null) return { type: 'linkedRounds', ...kept };
  return roundId ? { type: 'round', roundId, resultCondition } : { type: 'registrations' };
};

/** Who leaves the round. */
const conditionOf = (roundId: string, { rounds, conditions }: Said): DecidedCondition | null => {
  const condition = conditions.get(roundId);
  const round = rounds.get(roundId);
  return condition && round
    ? {
        type: condition.type === 'attemptResult' ? 'resultAchieved' : condition.type,
        scope: scopeOf(round.rules.format),
        value: condition.level,
      }
    : null;
};
