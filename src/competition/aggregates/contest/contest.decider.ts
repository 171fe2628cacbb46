/**
 * The commands of a contest and their decisions. A contest is a draft, announced, ongoing, finished or deleted. In
 * between it is ending, until every round and key is closed. State and fold are in contest.ts.
 */

import { type RoundRef, roundCode } from '../../../domain/attempts.js';
import { accept, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import { isContestId } from '../../../domain/ids.js';
import type { ContestRef } from '../../../domain/references.js';
import { type FieldError, invalid } from '../../../domain/rejections.js';
import {
  type CompetitorListCommand,
  checkIn,
  importCompetitors,
  registerCompetitors,
  replaceCompetitors,
  withdraw,
} from '../competitor-list/competitor-list.decider.js';
import type { NumberedCompetitor } from '../competitor-list/competitor-list.js';
import type { ListContext } from '../competitor-list/competitor-rows.js';
import {
  type ContestDetails,
  type ContestEvent,
  type ContestState,
  contestStream,
  type Ending,
  evolve,
  type ImportGoal,
  initialContest,
  isOpaqueRound,
  type OpaqueParts,
} from './contest.js';
import { details, detailsProblems, plain, planProblems, type RoundPlan } from './contest-rules.js';

export type ContestCommand =
  | ({
      readonly type: 'CreateContest';
      readonly details: ContestDetails;
      readonly rounds: readonly RoundPlan[];
      /** Given by an import only. */
      readonly importing?: ImportGoal;
    } & ContestRef)
  | { readonly type: 'EditContest'; readonly change: Partial<ContestDetails> }
  | ({ readonly type: 'PlanRound' } & RoundPlan)
  | ({ readonly type: 'RemoveRound' } & RoundRef)
  | { readonly type: 'AnnounceContest' }
  /** Sent before a round is opened. */
  | { readonly type: 'StartContest' }
  | { readonly type: 'RecordKey'; readonly keyId: string }
  /** Gives the next numbers to persons without one, in this order. */
  | { readonly type: 'NumberCompetitors'; readonly personIds: readonly number[] }
  /** Takes over the numbers of another system. */
  | { readonly type: 'TakeNumbers'; readonly competitors: readonly NumberedCompetitor[] }
  | CompetitorListCommand
  /** Keeps these parts of a file instead of those before. */
  | { readonly type: 'KeepOpaqueParts'; readonly parts: OpaqueParts }
  | { readonly type: 'BeginEnding'; readonly ending: Ending }
  /** Every round and key is closed. */
  | { readonly type: 'CompleteEnding' }
  | { readonly type: 'ReopenContest' };

// --- details and plan -----------------------------------------------------------------------------------------------

const sameContest = (state: ContestState, given: ContestDetails, rounds: readonly RoundPlan[]): boolean =>
  isSameData(state.details, given) &&
  state.rounds.size === rounds.length &&
  rounds.every(({ round }) => isSameData(state.rounds.get(roundCode(round)), plain(round)));

const create = (
  command: Extract<ContestCommand, { type: 'CreateContest' }>,
  state: ContestState,
): Decision<ContestEvent> => {
  const { spaceId, competitionId, rounds, importing } = command;
  const goal = importing === undefined ? {} : { importing };
  const given = details(command.details);
  if (state.phase !== 'none')
    return state.phase !== 'deleted' && sameContest(state, given, rounds)
      ? accept()
      : reject({
          code: 'already-exists',
          detail: `contest ${competitionId} ${state.phase === 'deleted' ? 'was deleted' : 'exists'}`,
        });
  const errors: FieldError[] = [];
  if (!isContestId(competitionId))
    errors.push({
      field: 'competitionId',
      rule: 'pattern',
      message: 'must be 1 to 64 letters, digits, - or _',
    });
  errors.push(...detailsProblems(given));
  const seen = new Set<string>();
  for (const [index, plan] of rounds.entries()) {
    const field = `rounds[${index}]`;
    for (const error of planProblems(plan)) errors.push({ ...error, field: `${field}.${error.field}` });
    if (seen.has(roundCode(plan.round)))
      errors.push({ field, rule: 'unique', message: `${roundCode(plan.round)} is planned twice` });
    seen.add(roundCode(plan.round));
  }
  if (errors.length > 0) return reject(invalid(errors));
  return accept<ContestEvent>(
    { type: 'ContestCreated', data: { spaceId, competitionId, details: given, ...goal } },
    ...rounds.map(({ round }) => ({ type: 'RoundAdded' as const, data: plain(round) })),
  );
};

const edit = (change: Partial<ContestDetails>, state: ContestState): Decision<ContestEvent> => {
  const refused = unless(state, 'edited', ['draft', 'announced', 'ongoing', 'finished']);
  if (refused !== null) return refused;
  if (state.details === null) return gone();
  const given = details({ ...state.details, ...change });
  const errors = detailsProblems(given);
  if (errors.length > 0) return reject(invalid(errors));
  return isSameData(state.details, given)
    ? accept()
    : accept({ type: 'ContestEdited', data: { details: given } });
};

const plan = (command: RoundPlan, state: ContestState): Decision<ContestEvent> => {
  const refused = unless(state, 'given rounds', ['draft', 'announced', 'ongoing']);
  if (refused !== null) return refused;
  const errors = planProblems(command);
  if (errors.length > 0) return reject(invalid(errors));
  const round = plain(command.round);
  if (isOpaqueRound(state.opaque, round))
    return reject({
      code: 'contest-state',
      detail: `${roundCode(round)} is a round of a file that is only shown`,
    });
  const known = state.rounds.get(roundCode(round));
  if (known === undefined) return accept({ type: 'RoundAdded', data: round });
  return isSameData(known, round) ? accept() : accept({ type: 'RoundEdited', data: round });
};

const remove = ({ eventId, roundNumber }: RoundRef, state: ContestState): Decision<ContestEvent> => {
  const refused = unless(state, 'deprived of rounds', ['draft', 'announced', 'ongoing']);
  if (refused !== null) return refused;
  return state.rounds.has(roundCode({ eventId, roundNumber }))
    ? accept({ type: 'RoundRemoved', data: { eventId, roundNumber } })
    : accept();
};

const keepOpaque = (parts: OpaqueParts, state: ContestState): Decision<ContestEvent> => {
  const refused = unless(state, 'given rounds of a file', ['draft', 'announced', 'ongoing', 'finished']);
  if (refused !== null) return refused;
  const planned = parts.rounds.find((round) => state.rounds.has(roundCode(round)));
  if (planned !== undefined)
    return reject({
      code: 'contest-state',
      detail: `${roundCode(planned)} is planned as a round with entry`,
    });
  return isSameData(state.opaque, parts) ? accept() : accept({ type: 'OpaquePartsKept', data: parts });
};

// --- life -----------------------------------------------------------------------------------------------------------

type Phase = ContestState['phase'];

const gone = (): Decision<ContestEvent> =>
  reject({ code: 'contest-not-found', detail: 'there is no such contest' });

/** The step that is needed first, by phase. */
const BEFORE_THAT: Partial<Record<Phase, string>> = {
  draft: ': announce it first',
  finished: ': reopen it first',
};

/** Returns null in these phases, otherwise the refusal. `done` is the participle of what was tried. */
const unless = (
  state: ContestState,
  done: string,
  phases: readonly Phase[],
): Decision<ContestEvent> | null => {
  if (phases.includes(state.phase)) return null;
  if (state.phase === 'none' || state.phase === 'deleted') return gone();
  const now =
    state.phase === 'ending'
      ? `about to be ${state.ending === 'finish' ? 'finished' : 'deleted'}`
      : state.phase;
  const next = BEFORE_THAT[state.phase] ?? '';
  return reject({ code: 'contest-state', detail: `the contest is ${now} and cannot be ${done}${next}` });
};

const announce = (state: ContestState): Decision<ContestEvent> => {
  const refused = unless(state, 'announced', ['draft', 'announced', 'ongoing', 'finished']);
  if (refused !== null) return refused;
  return state.phase === 'draft' ? accept({ type: 'ContestAnnounced', data: {} }) : accept();
};

const start = (state: ContestState): Decision<ContestEvent> =>
  unless(state, 'opened for entry', ['announced', 'ongoing']) ??
  (state.phase === 'announced' ? accept({ type: 'ContestStarted', data: {} }) : accept());

const recordKey = (keyId: string, state: ContestState): Decision<ContestEvent> =>
  unless(state, 'given keys', ['draft', 'announced', 'ongoing']) ??
  (state.keyIds.has(keyId) ? accept() : accept({ type: 'ContestKeyIssued', data: { keyId } }));

const NUMBERING: readonly Phase[] = ['draft', 'announced', 'ongoing'];

/** Whether competitors can be given numbers. */
export const canTakeNumbers = ({ phase }: Pick<ContestState, 'phase'>): boolean => NUMBERING.includes(phase);

/** Continues after the highest number, for persons without one. */
const nextNumbers = (
  personIds: readonly number[],
  { competitorNumbers }: ContestState,
): readonly NumberedCompetitor[] => {
  const fresh = [...new Set(personIds)].filter((personId) => !competitorNumbers.has(personId));
  const last = competitorNumbers.max() ?? 0;
  return fresh.map((personId, index) => ({ personId, number: last + index + 1 }));
};

/** Returns the numbers that can be given: a person keeps a number, and each number is given once. */
export const unusedNumbers = (
  requested: readonly NumberedCompetitor[],
  { competitorNumbers, personsByNumber }: Pick<ContestState, 'competitorNumbers' | 'personsByNumber'>,
): readonly NumberedCompetitor[] => {
  const persons = new Set(competitorNumbers.keys());
  const numbers = new Set(personsByNumber.keys());
  return requested.filter(({ personId, number }) => {
    if (persons.has(personId) || numbers.has(number)) return false;
    persons.add(personId);
    numbers.add(number);
    return true;
  });
};

const number = (competitors: readonly NumberedCompetitor[], state: ContestState): Decision<ContestEvent> =>
  unless(state, 'given competitors', NUMBERING) ??
  (competitors.length === 0 ? accept() : accept({ type: 'CompetitorsNumbered', data: { competitors } }));

const list = (
  state: ContestState,
  decision: (context: ListContext) => Decision<ContestEvent>,
): Decision<ContestEvent> => {
  const eventIds = new Set(state.rounds.valueSeq().map(({ eventId }) => eventId));
  return unless(state, 'given competitors', NUMBERING) ?? decision({ list: state, eventIds });
};

/** Only an ongoing contest can be finished. Any other contest can be deleted. */
const ENDABLE: Readonly<Record<Ending, readonly Phase[]>> = {
  finish: ['ongoing'],
  delete: ['draft', 'announced', 'ongoing', 'finished'],
};

const beginEnding = (ending: Ending, state: ContestState): Decision<ContestEvent> => {
  const done = ending === 'finish' ? 'finished' : 'deleted';
  if (state.phase === done || (state.phase === 'ending' && state.ending === ending)) return accept();
  return unless(state, done, ENDABLE[ending]) ?? accept({ type: 'ContestEnding', data: { ending } });
};

const completeEnding = (state: ContestState): Decision<ContestEvent> => {
  if (state.phase !== 'ending') return accept();
  return accept({ type: state.ending === 'delete' ? 'ContestDeleted' : 'ContestFinished', data: {} });
};

const reopen = (state: ContestState): Decision<ContestEvent> =>
  unless(state, 'reopened', ['ongoing', 'finished']) ??
  (state.phase === 'finished' ? accept({ type: 'ContestReopened', data: {} }) : accept());

const decide = decideBy<ContestCommand, ContestState, ContestEvent>({
  CreateContest: create,
  EditContest: ({ change }, state) => edit(change, state),
  PlanRound: plan,
  RemoveRound: remove,
  AnnounceContest: (_, state) => announce(state),
  StartContest: (_, state) => start(state),
  RecordKey: ({ keyId }, state) => recordKey(keyId, state),
  TakeNumbers: ({ competitors }, state) => number(unusedNumbers(competitors, state), state),
  NumberCompetitors: ({ personIds }, state) => number(nextNumbers(personIds, state), state),
  ReplaceCompetitors: (command, state) => list(state, (context) => replaceCompetitors(command, context)),
  KeepOpaqueParts: ({ parts }, state) => keepOpaque(parts, state),
  ImportCompetitors: (command, state) => list(state, (context) => importCompetitors(command, context)),
  RegisterCompetitors: ({ rows }, state) => list(state, (context) => registerCompetitors(rows, context)),
  CheckInCompetitor: ({ personIds }, state) => list(state, (context) => checkIn(personIds, context)),
  WithdrawCompetitor: ({ personIds }, state) => list(state, (context) => withdraw(personIds, context)),
  BeginEnding: ({ ending }, state) => beginEnding(ending, state),
  CompleteEnding: (_, state) => completeEnding(state),
  ReopenContest: (_, state) => reopen(state),
});

export const contestDecider = { initialState: initialContest, evolve, decide };

export const contestAggregate = {
  stream: contestStream,
  decider: contestDecider,
  schema: 1,
  sizeOf: ({ rounds, competitorNumbers, registrations, opaque, keyIds }: ContestState): number =>
    1_500 +
    300 * opaque.rounds.flatMap(({ results }) => results).length +
    700 * rounds.size +
    200 * competitorNumbers.size +
    500 * registrations.size +
    200 * keyIds.size,
};
