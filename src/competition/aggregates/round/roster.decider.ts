/** The decisions on who is expected in a round and who advances from it, and taking an opening back. */

import { accept, type Decision, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import type { FieldError } from '../../../domain/rejections.js';
import { advancementPlan, CONFIRMATIONS, type Confirmation, QUESTIONS } from './advancement-plan.js';
import { membersKey } from './competitor-key.js';
import { resultOf } from './result-place.js';
import type { Members, RosterEvent, RosterMark } from './roster.js';
import type { RoundEvent, RoundState } from './round.js';

export type RosterCommand =
  /** Competitors who are not on the roster are added to it as `expected` only. */
  | {
      readonly type: 'MarkRoster';
      readonly competitors: readonly { readonly personIds: Members; readonly mark: RosterMark }[];
    }
  /** Closes the round and decides who advances. */
  | {
      readonly type: 'DecideAdvancement';
      readonly roundNumber: number;
      /** In the order of their places. */
      readonly competitors: readonly Members[];
      readonly confirmed: readonly Confirmation[];
    }
  | { readonly type: 'UndoOpening' };

type CommandOf<T extends RosterCommand['type']> = Extract<RosterCommand, { type: T }>;

const listed = (errors: readonly FieldError[]): string =>
  errors.map(({ field, message }) => `${field}: ${message}`).join('; ');

const repeated = (competitors: readonly { readonly personIds: Members }[]): readonly FieldError[] => {
  const seen = new Set<number>();
  return competitors.flatMap(({ personIds }, index) => {
    const twice = personIds.find((personId) => seen.has(personId));
    for (const personId of personIds) seen.add(personId);
    if (twice === undefined) return [];
    const message = `person ${twice} is named twice`;
    return [{ field: `competitors[${index}].personIds`, rule: 'competitor-repeated', message }];
  });
};

// --- roster ---------------------------------------------------------------------------------------------------------

export const markRoster = (
  { competitors }: CommandOf<'MarkRoster'>,
  { setup, roster }: RoundState,
): Decision<RoundEvent> => {
  if (setup === null) return reject({ code: 'round-state', detail: 'the round was never opened' });
  if (roster === null)
    return reject({ code: 'round-state', detail: 'the round has no roster: it takes every known person' });
  const markOf = (personIds: Members): RosterMark | undefined => roster.get(membersKey(personIds))?.mark;
  const unknown = competitors.flatMap(({ personIds, mark }, index) => {
    if (mark === 'expected' || markOf(personIds) !== undefined) return [];
    const message = `person ${personIds.join(',')} is not expected in the round`;
    return [{ field: `competitors[${index}].personIds`, rule: 'not-expected', message }];
  });
  const errors = [...repeated(competitors), ...unknown];
  const [first] = errors;
  if (first !== undefined) return reject({ code: 'roster', detail: listed(errors), errors });
  const changed = (mark: RosterMark): readonly Members[] =>
    competitors
      .filter((each) => each.mark === mark && ![undefined, mark].includes(markOf(each.personIds)))
      .map(({ personIds }) => personIds);
  const added = competitors.filter(({ personIds }) => markOf(personIds) === undefined);
  const events: RosterEvent[] = (['expected', 'no-show', 'quit'] as const).flatMap((mark) => {
    const marked = changed(mark);
    return marked.length === 0 ? [] : [{ type: 'RosterMarked', data: { competitors: marked, mark } }];
  });
  if (added.length > 0)
    events.unshift({
      type: 'RosterExtended',
      data: { competitors: added.map(({ personIds }) => personIds) },
    });
  return accept<RoundEvent>(...events);
};

// --- advancement ----------------------------------------------------------------------------------------------------

export const decideAdvancement = (
  { roundNumber, competitors, confirmed }: CommandOf<'DecideAdvancement'>,
  state: RoundState,
): Decision<RoundEvent> => {
  if (state.setup === null) return reject({ code: 'round-state', detail: 'the round was never opened' });
  const { advanced, phase } = state;
  if (advanced !== null && phase === 'closed')
    return isSameList(advanced, competitors)
      ? accept()
      : reject({
          code: 'round-state',
          detail: 'others advance already: take the opening of the next round back first',
        });
  if (competitors.length === 0) {
    const errors = [{ field: 'competitors', rule: 'not-empty', message: 'nobody would advance' }];
    return reject({ code: 'roster', detail: listed(errors), errors });
  }
  const errors = [
    ...repeated(competitors.map((personIds) => ({ personIds }))),
    ...competitors.flatMap((personIds, index) =>
      resultOf(state, personIds)?.attempts.some((value) => value > 0)
        ? []
        : [
            {
              field: `competitors[${index}]`,
              rule: 'no-result',
              message: `person ${personIds.join(',')} has no valid result in the round`,
            },
          ],
    ),
  ];
  if (errors.length > 0) return reject({ code: 'roster', detail: listed(errors), errors });
  const plan = advancementPlan(state, state.setup, roundNumber);
  const isOther = !isSameList(plan.competitors, competitors);
  const asked = CONFIRMATIONS.filter((rule) =>
    rule === 'other-competitors' ? isOther : plan.toConfirm.has(rule),
  );
  const open = asked.filter((rule) => !confirmed.includes(rule));
  if (open.length > 0) {
    const questions = open.map((rule) => ({ field: 'confirmed', rule, message: QUESTIONS[rule] }));
    return reject({ code: 'to-confirm', detail: listed(questions), errors: questions });
  }
  const decided: RoundEvent = { type: 'AdvancementDecided', data: { competitors } };
  return accept(...(phase === 'closed' ? [decided] : [{ type: 'RoundClosed', data: {} } as const, decided]));
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
