/**
 * Writes WCIF 2 from WCIF 1. It renames the values of attempts and cutoffs, and moves each advancement to the round
 * that it leads to. Podium's own extensions are the same in both versions.
 */
import { roundCode } from '../../../domain/attempts.js';
import { type ContestFile, type FileRound, fail } from './contest-file.js';
import type { Wcif, Wcif2, Wcif2Participation, WcifRound } from './wcif.js';
import { scopeOf } from './wcif-participation.js';
import { writeWcif } from './wcif-writer.js';

const VERSION = '2.0';

/** Throws FaultError when WCIF 2 cannot represent a rule or a result. */
export const writeWcif2 = (contest: ContestFile): Wcif2 => {
  const wcif: Wcif = writeWcif(contest);
  const rounds = new Map(contest.rounds.map((round) => [roundCode(round), round]));
  const conditions = new Map(
    wcif.events.flatMap((event) => event.rounds.map((round) => [round.id, round.advancementCondition])),
  );
  for (const round of contest.rounds) refuseUnsayable(round, rounds);
  return {
    ...wcif,
    formatVersion: VERSION,
    events: wcif.events.map((event) => ({
      ...event,
      rounds: event.rounds.map((round) => writeRound(round, { rounds, conditions })),
    })),
  };
};

type Rounds = ReadonlyMap<string, FileRound>;

/** By the id of the round: the round, and who leaves it in the words of WCIF 1. */
interface Said {
  readonly rounds: Rounds;
  readonly conditions: ReadonlyMap<string, WcifRound['advancementCondition']>;
}

const neighbour = (
  { eventId, roundNumber }: FileRound,
  step: 1 | -1,
  rounds: Rounds,
): FileRound | undefined => rounds.get(roundCode({ eventId, roundNumber: roundNumber + step }));

const refuseUnsayable = (round: FileRound, rounds: Rounds): void => {
  if (round.rules.advancement !== null && !neighbour(round, 1, rounds))
    fail(
      round.place,
      `round ${roundCode(round)} has an advancement and no next round: WCIF 2 says an advancement at the next round`,
    );
  if (round.roundNumber > 1 && !neighbour(round, -1, rounds))
    fail(
      round.place,
      `round ${roundCode(round)} has no round before it: WCIF 2 says which round its competitors come from`,
    );
};

const writeRound = (
  { advancementCondition: _, cutoff, results, ...round }: WcifRound,
  said: Said,
): Wcif2['events'][number]['rounds'][number] => ({
  ...round,
  linkedRounds: null,
  cutoff: cutoff && { numberOfAttempts: cutoff.numberOfAttempts, resultValue: cutoff.attemptResult },
  participationRuleset: { participationSource: sourceOf(round.id, said), reservedPlaces: null },
  results: results.map(({ attempts, ...result }) => ({
    ...result,
    attempts: attempts.map(({ result: value, reconstruction }) => ({ value, reconstruction })),
  })),
});

const sourceOf = (id: string, { rounds, conditions }: Said): Wcif2Participation['participationSource'] => {
  const round = rounds.get(id);
  const before = round && neighbour(round, -1, rounds);
  if (!before) return { type: 'registrations' };
  const roundId = roundCode(before);
  const condition = conditions.get(roundId) ?? null;
  return {
    type: 'round',
    roundId,
    resultCondition: condition && {
      type: condition.type === 'attemptResult' ? 'resultAchieved' : condition.type,
      scope: scopeOf(before.rules.format),
      value: condition.level,
    },
  };
};
