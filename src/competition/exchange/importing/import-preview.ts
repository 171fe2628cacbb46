/**
 * What an import would change, as its planner has decided it: for people to look at before they agree. Its fingerprint is of all
 * that it says, so that an import can be held to what was agreed to.
 */
import { createHash } from 'node:crypto';
import type { RoundRef } from '../../../domain/attempts.js';
import type { ContestState } from '../../aggregates/contest/contest.js';
import type { SpaceState } from '../../aggregates/space/space.decider.js';
import type { ContestOutcome, ImportOptions, PersonDecision } from '../exchange.commands.js';
import { type Fault, resultCount } from '../formats/contest-file.js';
import {
  type ContestComparison,
  importActionOf,
  outcomeOf,
  phaseAfter,
  type ResultDifference,
  type RoundComparison,
  replacements,
} from './contest-comparison.js';
import type { ContestPlan } from './contest-plan.js';
import { type Compared, decisionsOf, type PlannedContest } from './import-planner.js';
import { CAUSES, checkPublished, type Difference } from './published-check.js';

/** A result that is there with other attempts, or is not in the file. */
export interface ResultChange {
  readonly personIds: readonly number[];
  /** Theirs as they are known here; a dash for whoever was erased. */
  readonly names: readonly string[];
  readonly before: readonly number[];
  /** Null: it is not in the file. */
  readonly after: readonly number[] | null;
}

export interface RoundPreview extends RoundRef {
  /** `missing`: planned, and not in the file. */
  readonly plan: RoundComparison['plan'] | 'missing';
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly same: number;
  /** Those changed and removed. */
  readonly changes: readonly ResultChange[];
}

export interface PersonPreview extends Omit<PersonDecision, 'personId'> {
  /** Null: this import would register the person. */
  readonly personId: number | null;
  /** That the contest would know the person by from then on; null: none is given. */
  readonly number: number | null;
}

/** Of the one file that is previewed. */
export type FaultInFile = Omit<Fault, 'file'>;

export interface DifferenceInFile extends Omit<Difference, 'file' | 'competitionId' | 'cause'> {
  /** As a sentence. */
  readonly cause: string;
}

export interface ContestPreview {
  /** Null where the file could not be read so far. */
  readonly competitionId: string | null;
  readonly name: string | null;
  readonly outcome: ContestOutcome['outcome'];
  readonly phaseBefore: ContestState['phase'];
  readonly phaseAfter: ContestState['phase'];
  /** How many results would become those of the file, new ones counted. */
  readonly replaced: number;
  /** Whether replacing results that differ, and nothing else, would let it in; also where that was chosen. */
  readonly replaceable: boolean;
  readonly results: number;
  /** Details that are there with another value. */
  readonly changedDetails: readonly string[];
  /** Events that the space would get. */
  readonly newEvents: readonly { readonly eventId: string; readonly name: string }[];
  readonly rounds: readonly RoundPreview[];
  readonly persons: readonly PersonPreview[];
  /** Why it would be left out. */
  readonly faults: readonly FaultInFile[];
  /** What is in the file and would not be read. */
  readonly notes: readonly FaultInFile[];
  /** Where the file's own singles, averages and places are not those that Podium computes. */
  readonly differences: readonly DifferenceInFile[];
}

export const previewOf = (
  planned: readonly PlannedContest[],
  space: SpaceState,
  options: Pick<ImportOptions, 'open' | 'replace'>,
): readonly ContestPreview[] =>
  planned.map(({ compared, faults, ready }): ContestPreview => {
    if (compared === null) return { ...UNREAD, faults: faults.map(inFile) };
    const { plan, comparison, isReplaceable, names } = compared;
    const { file } = plan;
    const course = importActionOf(comparison, options);
    const { before } = comparison;
    const numbers = new Map(comparison.numbers.map(({ personId, number }) => [personId, number]));
    return {
      competitionId: file.competitionId,
      name: file.details.name,
      outcome: ready ? outcomeOf(course, comparison) : 'left-out',
      phaseBefore: before.phase,
      phaseAfter: ready ? phaseAfter(course, comparison) : before.phase,
      replaced: ready && course === 'replace' ? comparison.rounds.flatMap(replacements).length : 0,
      replaceable: isReplaceable,
      results: resultCount(file),
      changedDetails: comparison.details,
      newEvents: file.events
        .filter(({ eventId }) => !space.events.has(eventId))
        .map(({ eventId, name }) => ({ eventId, name })),
      rounds: [
        ...comparison.rounds.map((round) => roundPreview(round, names)),
        ...comparison.missing.map(missingRound),
      ],
      persons: decisionsOf(plan).map(({ personId, ...decision }) => ({
        ...decision,
        personId: registered(personId),
        number: numbers.get(personId) ?? null,
      })),
      faults: faults.map(inFile),
      notes: [...file.notes, ...keptNumbers(plan, comparison)].map(inFile),
      differences: checkPublished([file]).differences.map(differenceInFile),
    };
  });

/** Numbers of the file that are not given, because the contest has numbered its competitors otherwise. */
const keptNumbers = (plan: ContestPlan, { before, numbers }: ContestComparison): readonly Fault[] => {
  const given = new Set(numbers.map(({ number }) => number));
  return plan.competitors().flatMap(({ personId, number }, index): readonly Fault[] => {
    const own = before.competitorNumbers.get(personId);
    const place = plan.file.competitors[index]?.place ?? plan.file.place;
    if (given.has(number) || own === number) return [];
    if (own !== undefined)
      return [{ ...place, reason: `number ${number} is ${own} in this contest, and stays so` }];
    const isDuplicateKey = before.competitorNumbers.includes(number);
    return isDuplicateKey
      ? [{ ...place, reason: `number ${number} is somebody else's in this contest` }]
      : [];
  });
};

const inFile = ({ line, column, reason }: Fault): FaultInFile => ({ line, column, reason });

const differenceInFile = ({
  file: _,
  competitionId: __,
  cause,
  ...difference
}: Difference): DifferenceInFile => ({ ...difference, cause: CAUSES[cause] });

const UNREAD: Omit<ContestPreview, 'faults'> = {
  competitionId: null,
  name: null,
  outcome: 'left-out',
  phaseBefore: 'none',
  phaseAfter: 'none',
  replaced: 0,
  replaceable: false,
  results: 0,
  changedDetails: [],
  newEvents: [],
  rounds: [],
  persons: [],
  notes: [],
  differences: [],
};

/** Who is not registered yet goes by an id below zero. */
const registered = (personId: number): number | null => (personId > 0 ? personId : null);

const roundPreview = (
  { round, plan, differences }: RoundComparison,
  names: Compared['names'],
): RoundPreview => {
  const changes = differences.flatMap((difference) => changeIn(difference, names));
  const added = differences.length - changes.length;
  const removed = changes.filter(({ after }) => after === null).length;
  const changed = changes.length - removed;
  return {
    eventId: round.eventId,
    roundNumber: round.roundNumber,
    plan,
    added,
    changed,
    removed,
    same: round.results.length - added - changed,
    changes,
  };
};

const changeIn = (
  { inFile, inRound }: ResultDifference,
  names: Compared['names'],
): readonly ResultChange[] => {
  if (inRound === null) return [];
  const { personIds, attempts } = inRound;
  return [
    {
      personIds,
      names: personIds.map((personId) => names.get(personId) ?? '—'),
      before: attempts,
      after: inFile?.attempts ?? null,
    },
  ];
};

const missingRound = ({ eventId, roundNumber }: RoundRef): RoundPreview => ({
  eventId,
  roundNumber,
  plan: 'missing',
  added: 0,
  changed: 0,
  removed: 0,
  same: 0,
  changes: [],
});

export const fingerprintOf = (contests: readonly ContestPreview[]): string =>
  createHash('sha256').update(JSON.stringify(contests)).digest('base64url');
