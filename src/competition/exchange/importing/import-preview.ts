/**
 * The changes that an import would make, for an admin to look at before agreeing. The fingerprint covers the whole
 * preview, so that an import can be refused when its changes differ from it.
 */
import { createHash } from 'node:crypto';
import type { RoundRef } from '../../../domain/attempts.js';
import { invalid, RejectedError } from '../../../domain/rejections.js';
import type { CompetitorList, NumberedCompetitor } from '../../aggregates/competitor-list/competitor-list.js';
import type { ContestState } from '../../aggregates/contest/contest.js';
import type { SpaceState } from '../../aggregates/space/space.decider.js';
import { ERASED_NAME } from '../../persons/person-directory.js';
import type { ContestOutcome, EndingKey, PersonDecision } from '../exchange.commands.js';
import { type Fault, type Place, resultCount } from '../formats/contest-file.js';
import {
  type ContestComparison,
  type ResultDifference,
  type RoundComparison,
  replacements,
} from './contest-comparison.js';
import type { ContestPlan } from './contest-plan.js';
import { type ActionOptions, importActionOf, outcomeOf, phaseAfter } from './import-action.js';
import { type Compared, decisionsOf, type PlannedContest } from './import-planner.js';
import { type ListChangeView, listChangeViews } from './list-comparison.js';
import { CAUSES, checkPublished, type Difference } from './published-check.js';

/** A stored result with other attempts than in the file, or that is not in the file. */
export interface ResultChange {
  readonly personIds: readonly number[];
  /** The stored names; a dash for an erased person. */
  readonly names: readonly string[];
  readonly before: readonly number[];
  /** Null: it is not in the file. */
  readonly after: readonly number[] | null;
}

export interface RoundPreview extends RoundRef {
  /** `missing`: planned, but not in the file. */
  readonly plan: RoundComparison['plan'] | 'missing';
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly same: number;
  /** The changed and the removed results. */
  readonly changes: readonly ResultChange[];
}

export interface PersonPreview extends Omit<PersonDecision, 'personId'> {
  /** Null: this import would register the person. */
  readonly personId: number | null;
  /** The competitor number that the import would give; null: none. */
  readonly number: number | null;
}

/** A fault of the one file that is previewed. */
export type FaultInFile = Omit<Fault, 'file'>;

export interface DifferenceInFile extends Omit<Difference, 'file' | 'competitionId' | 'cause'> {
  /** A full sentence. */
  readonly cause: string;
}

export interface ContestPreview {
  /** Null: the id could not be read from the file. */
  readonly competitionId: string | null;
  readonly name: string | null;
  readonly outcome: ContestOutcome['outcome'];
  readonly phaseBefore: ContestState['phase'];
  readonly phaseAfter: ContestState['phase'];
  /** The active API keys that would end for good. */
  readonly endingKeys: readonly EndingKey[];
  /** Number of results that the import would replace or add. */
  readonly replaced: number;
  /** Whether the contest could be imported by replacing results only; also true when `replace` was chosen. */
  readonly replaceable: boolean;
  readonly results: number;
  /** Details with another stored value. */
  readonly changedDetails: readonly string[];
  /** Events that the import would add to the space. */
  readonly newEvents: readonly { readonly eventId: string; readonly name: string }[];
  readonly rounds: readonly RoundPreview[];
  /** Number of activities of the schedule that the import would enter. */
  readonly activities: number;
  /** Number of persons of whom the import would learn better bests from before the contest. */
  readonly personalBests: number;
  readonly persons: readonly PersonPreview[];
  /** Competitors whom the import would add to the list, change or drop there, or keep although the file says otherwise. */
  readonly competitors: readonly ListChangeView[];
  /** Number of competitors who are the same on the list and in the file. */
  readonly sameCompetitors: number;
  /** Why the contest would be left out. */
  readonly faults: readonly FaultInFile[];
  /** Parts of the file that are not read, or read otherwise than they are written. */
  readonly notes: readonly FaultInFile[];
  /** Differences between the file's own singles, averages and places and those that Podium computes. */
  readonly differences: readonly DifferenceInFile[];
}

export const previewOf = (
  planned: readonly PlannedContest[],
  space: SpaceState,
  options: ActionOptions,
): readonly ContestPreview[] =>
  planned.map(({ compared, faults, ready }): ContestPreview => {
    if (compared === null) return { ...UNREAD, faults: faults.map(inFile) };
    const { plan, comparison, isReplaceable, names, withResults, endingKeys } = compared;
    const { file } = plan;
    const course = importActionOf(comparison, options);
    const { before } = comparison;
    return {
      competitionId: file.competitionId,
      name: file.details.name,
      outcome: ready ? outcomeOf(course, comparison) : 'left-out',
      phaseBefore: before.phase,
      phaseAfter: ready ? phaseAfter(course, comparison) : before.phase,
      endingKeys: ready ? endingKeys : [],
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
      activities: comparison.isScheduleNew ? (file.schedule?.activities.length ?? 0) : 0,
      personalBests: comparison.bests.length,
      persons: personPreviews(decisionsOf(plan), comparison.numbers),
      competitors:
        comparison.list === null
          ? []
          : listChangeViews(comparison.list, plan.registrations(), { list: before, names, withResults }),
      sameCompetitors: comparison.list?.same ?? 0,
      faults: faults.map(inFile),
      notes: [...plan.notes, ...keptNumbers(numberedIn(plan), comparison)].map(inFile),
      differences: checkPublished([file]).differences.map(differenceInFile),
    };
  });

/** `numbers`: those that the import would give. */
export const personPreviews = (
  decisions: readonly PersonDecision[],
  numbers: readonly NumberedCompetitor[],
): readonly PersonPreview[] => {
  const given = new Map(numbers.map(({ personId, number }) => [personId, number]));
  return decisions.map(({ personId, ...decision }) => ({
    ...decision,
    personId: registered(personId),
    number: given.get(personId) ?? null,
  }));
};

interface Numbered extends NumberedCompetitor {
  readonly place: Place;
}

const numberedIn = (plan: ContestPlan): readonly Numbered[] =>
  plan.competitors().map((competitor, index) => ({
    ...competitor,
    place: plan.file.competitors[index]?.place ?? plan.file.place,
  }));

/** Numbers of the file that are not given, because the contest uses other numbers. */
export const keptNumbers = (
  competitors: readonly Numbered[],
  { before, numbers }: Pick<ContestComparison, 'numbers'> & { readonly before: CompetitorList },
): readonly Fault[] => {
  const given = new Set(numbers.map(({ number }) => number));
  return competitors.flatMap(({ personId, number, place }): readonly Fault[] => {
    const own = before.competitorNumbers.get(personId);
    if (given.has(number) || own === number) return [];
    if (own !== undefined)
      return [{ ...place, reason: `number ${number} is ${own} in this contest, and stays so` }];
    const isTaken = before.competitorNumbers.includes(number);
    return isTaken ? [{ ...place, reason: `another competitor of this contest has number ${number}` }] : [];
  });
};

export const inFile = ({ line, column, reason }: Fault): FaultInFile => ({ line, column, reason });

/** The refusal of a file that is imported whole or not at all. */
export const refusedFile = (faults: readonly FaultInFile[]): RejectedError =>
  new RejectedError(
    invalid(
      faults.map(({ line, column, reason }) => ({
        field: ['file', line, column].filter((part) => part !== null).join(':'),
        rule: 'file',
        message: reason,
      })),
    ),
  );

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
  endingKeys: [],
  replaced: 0,
  replaceable: false,
  results: 0,
  changedDetails: [],
  newEvents: [],
  rounds: [],
  activities: 0,
  personalBests: 0,
  persons: [],
  competitors: [],
  sameCompetitors: 0,
  notes: [],
  differences: [],
};

/** A person who is not registered yet has a negative id. */
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
      names: personIds.map((personId) => names.get(personId) ?? ERASED_NAME),
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

export const fingerprintOf = (preview: object): string =>
  createHash('sha256').update(JSON.stringify(preview)).digest('base64url');

/** Throws RejectedError `import-changed` when another preview was agreed. */
export const requireFingerprint = (agreed: string, preview: object): void => {
  if (fingerprintOf(preview) === agreed) return;
  const detail = 'the import would make other changes than its preview shows: make a new preview';
  throw new RejectedError({ code: 'import-changed', detail });
};
