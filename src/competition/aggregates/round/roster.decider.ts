/** The decisions on who is expected in a round and who advances from it, and taking an opening back. */

import {
  type AdvancementPlan,
  advancementPlan,
  CONFIRMATIONS,
  type Confirmation,
  isByRule,
  QUESTIONS,
} from '../../../domain/advancement-plan.js';
import type { RoundRef } from '../../../domain/attempts.js';
import { accept, type Decision, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import { membersKey } from '../../../domain/references.js';
import { isRegisteredFor } from '../../../domain/registrations.js';
import type { FieldError } from '../../../domain/rejections.js';
import {
  type CompetitorFacts,
  hasLeft,
  isKeptOut,
  type Members,
  type ModeratorMark,
  presentEntries,
  presentOf,
  type RosterEntry,
  type RosterMark,
} from '../../../domain/roster.js';
import { resultOf } from './entry.decider.js';
import { type RosterEvent } from './roster.js';

import type { RoundEvent, RoundState } from './round.js';

export type RosterCommand =
  /** Competitors; a merged person counts as whom it has become. Those who are not on the roster are added to it as `expected` only. */
  | {
      readonly type: 'MarkRoster';
      readonly competitors: readonly { readonly personIds: Members; readonly mark: ModeratorMark }[];
      readonly facts: CompetitorFacts;
    }
  /** Lets the roster of an open round follow the competitor list. */
  | { readonly type: 'FollowList'; readonly round: RoundRef; readonly facts: CompetitorFacts }
  /** Closes the round and decides who advances. */
  | {
      readonly type: 'DecideAdvancement';
      readonly round: RoundRef;
      /** In the order of their places. */
      readonly competitors: readonly Members[];
      readonly confirmed: readonly Confirmation[];
      readonly facts: CompetitorFacts;
    }
  | { readonly type: 'UndoOpening' };

type CommandOf<T extends RosterCommand['type']> = Extract<RosterCommand, { type: T }>;

const listed = (errors: readonly FieldError[]): string =>
  errors.map(({ field, message }) => `${field}: ${message}`).join('; ');

const repeated = (competitors: readonly { readonly personIds: Members }[]): readonly FieldError[] => {
  const seen = new Set<number>();
  return competitors.flatMap(({ personIds }, index) => {
    const twice = personIds.find((id, place) => seen.has(id) || personIds.indexOf(id) < place);
    for (const personId of personIds) seen.add(personId);
    if (twice === undefined) return [];
    const message = `person ${twice} is named twice`;
    return [{ field: `competitors[${index}].personIds`, rule: 'competitor-repeated', message }];
  });
};

// --- roster ---------------------------------------------------------------------------------------------------------

export const markRoster = (
  { competitors, facts }: CommandOf<'MarkRoster'>,
  state: RoundState,
): Decision<RoundEvent> => {
  const { setup, roster } = state;
  if (setup === null) return reject({ code: 'round-state', detail: 'the round was never opened' });
  if (roster === null)
    return reject({ code: 'round-state', detail: 'the round has no roster: it takes every known person' });
  const present = presentOf(facts);
  const entries = presentEntries(roster, present);
  const rows = competitors.map(({ personIds: named, mark }) => {
    const personIds = named.map(present);
    return { personIds, mark, entries: entriesNow(entries, personIds) };
  });
  const errors = [
    ...repeated(rows),
    ...rows.flatMap(({ personIds, mark, entries: own }, index) => {
      const problem = markProblem(personIds, { mark, isOnRoster: own.length > 0, facts });
      return problem === null ? [] : [{ field: `competitors[${index}].personIds`, ...problem }];
    }),
  ];
  if (errors.length > 0) return reject({ code: 'roster', detail: listed(errors), errors });
  const changed = (mark: ModeratorMark): readonly Members[] =>
    rows
      .filter((row) => row.mark === mark && !(mark === 'no-show' && resultOf(state, row.personIds)))
      .flatMap((row) => row.entries.filter((entry) => entry.mark !== mark))
      .map(({ personIds }) => personIds);
  const added = rows.filter((row) => row.entries.length === 0).map(({ personIds }) => personIds);
  return accept<RoundEvent>(
    ...extending(added),
    ...(['expected', 'no-show', 'quit'] as const).flatMap((mark) => marking(changed(mark), mark)),
  );
};

/** The entries of a competitor, or of all its members. Empty when one is not on the roster. */
const entriesNow = (
  entries: ReadonlyMap<string, readonly RosterEntry[]>,
  personIds: Members,
): readonly RosterEntry[] => {
  const own = entries.get(membersKey(personIds));
  if (own !== undefined) return own;
  const members = personIds.map((personId) => entries.get(membersKey([personId])) ?? []);
  return members.every((of) => of.length > 0) ? members.flat() : [];
};

const markProblem = (
  personIds: Members,
  {
    mark,
    isOnRoster,
    facts,
  }: { readonly mark: ModeratorMark; readonly isOnRoster: boolean; readonly facts: CompetitorFacts },
): Pick<FieldError, 'rule' | 'message'> | null => {
  if (mark !== 'expected') {
    if (isOnRoster) return null;
    return { rule: 'not-expected', message: `person ${personIds.join(',')} is not expected in the round` };
  }
  const gone = personIds.find((personId) => hasLeft(facts, personId));
  if (gone === undefined) return null;
  const message = `person ${gone} has withdrawn from the contest: register the person on the competitor list again first`;
  return { rule: 'has-withdrawn', message };
};

const extending = (competitors: readonly Members[], byList?: true): readonly RosterEvent[] =>
  competitors.length === 0
    ? []
    : [{ type: 'RosterExtended', data: byList ? { competitors, byList } : { competitors } }];

const marking = (competitors: readonly Members[], mark: RosterMark, byList?: true): readonly RosterEvent[] =>
  competitors.length === 0
    ? []
    : [{ type: 'RosterMarked', data: byList ? { competitors, mark, byList } : { competitors, mark } }];

/** What a moderator has marked stays: only who was expected withdraws, and only who had withdrawn comes back. */
export const followList = (
  { round, facts }: CommandOf<'FollowList'>,
  { phase, roster }: RoundState,
): Decision<RoundEvent> => {
  if (phase !== 'open' || roster === null) return accept();
  const present = presentOf(facts);
  const entries = presentEntries(roster, present);
  const isOut = ({ personIds, isAdded }: RosterEntry): boolean =>
    isKeptOut({ personIds: personIds.map(present), ...(isAdded && { isAdded }) }, round, facts);
  const stored = [...roster.values()];
  const withdrawn = stored.filter(
    (entry) => (entry.mark === 'expected' || entry.mark === 'no-show') && isOut(entry),
  );
  const back = stored.filter((entry) => entry.mark === 'withdrawn' && !isOut(entry));
  const late =
    round.roundNumber === 1
      ? [...facts.registrations].filter(
          ([personId, registration]) =>
            isRegisteredFor(registration, round.eventId) && !entries.has(membersKey([personId])),
        )
      : [];
  const idsOf = (some: readonly RosterEntry[]): readonly Members[] => some.map(({ personIds }) => personIds);
  return accept<RoundEvent>(
    ...extending(
      late.map(([personId]) => [personId]),
      true,
    ),
    ...marking(idsOf(withdrawn), 'withdrawn', true),
    ...marking(idsOf(back), 'expected', true),
  );
};

// --- advancement ----------------------------------------------------------------------------------------------------

export const decideAdvancement = (
  { round, competitors, confirmed, facts }: CommandOf<'DecideAdvancement'>,
  state: RoundState,
): Decision<RoundEvent> => {
  const { advanced, phase, setup } = state;
  if (setup === null) return reject({ code: 'round-state', detail: 'the round was never opened' });
  const chosen = competitors.map((personIds) => resultOf(state, personIds)?.personIds ?? personIds);
  if (advanced !== null && phase === 'closed')
    return isSameList(advanced, chosen)
      ? accept()
      : reject({
          code: 'round-state',
          detail: 'others advance already: take the opening of the next round back first',
        });
  const plan = advancementPlan({ round, state, setup, facts });
  const errors = choiceErrors(chosen, plan);
  if (errors.length > 0) return reject({ code: 'roster', detail: listed(errors), errors });
  const isOther = plan.hasRule && !isByRule(plan, chosen);
  const asked = CONFIRMATIONS.filter((rule) =>
    rule === 'other-competitors' ? isOther : plan.toConfirm.has(rule),
  );
  const open = asked.filter((rule) => !confirmed.includes(rule));
  if (open.length > 0) {
    const questions = open.map((rule) => ({ field: 'confirmed', rule, message: QUESTIONS[rule] }));
    return reject({ code: 'to-confirm', detail: listed(questions), errors: questions });
  }
  const decided: RoundEvent = { type: 'AdvancementDecided', data: { competitors: chosen } };
  return accept(...(phase === 'closed' ? [decided] : [{ type: 'RoundClosed', data: {} } as const, decided]));
};

const choiceErrors = (chosen: readonly Members[], { placed }: AdvancementPlan): readonly FieldError[] => {
  if (chosen.length === 0)
    return [{ field: 'competitors', rule: 'not-empty', message: 'nobody would advance' }];
  const results = new Map(placed.map((result) => [membersKey(result.personIds), result]));
  const rows = chosen.map((personIds) => ({ personIds }));
  return [
    ...repeated(rows),
    ...rows.flatMap(({ personIds }, index) => {
      const result = results.get(membersKey(personIds));
      const field = `competitors[${index}]`;
      const person = `person ${personIds.join(',')}`;
      if (result === undefined || result.best <= 0)
        return [{ field, rule: 'no-result', message: `${person} has no valid result in the round` }];
      return result.hasQuit ? [{ field, rule: 'has-quit', message: `${person} has quit` }] : [];
    }),
  ];
};

const isSameList = (a: readonly Members[], b: readonly Members[]): boolean => {
  const keys = (list: readonly Members[]): readonly string[] => list.map(membersKey).sort();
  return isSameData(keys(a), keys(b));
};

// --- undoing --------------------------------------------------------------------------------------------------------

export const undoOpening = (state: RoundState): Decision<RoundEvent> => {
  if (state.setup === null) return accept();
  if (state.results.size === 0) return accept({ type: 'RoundOpeningUndone', data: {} });
  return reject({
    code: 'round-state',
    detail: 'the round has results: its opening can no longer be taken back',
  });
};
