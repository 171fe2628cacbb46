/**
 * A space and its catalogue of events. An event's value format and team size never change, because results are
 * computed and compared by them. Order: state, commands, fold, decisions.
 */

import { Map as ImmutableMap } from 'immutable';
import { ROUND_FORMATS, VALUE_FORMATS } from '../../../domain/attempts.js';
import { accept, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import { isEventId, isName, isSpaceSlug, nameRule } from '../../../domain/ids.js';
import { type FieldError, invalid } from '../../../domain/rejections.js';
import { definitionOf, type EventDefinition, type SpaceEvent, spaceStream } from './space.events.js';

export interface SpaceState {
  /** Null: there is no such space. */
  readonly name: string | null;
  readonly events: ImmutableMap<string, EventDefinition>;
}

export type SpaceCommand =
  | {
      readonly type: 'CreateSpace';
      readonly spaceId: string;
      readonly name: string;
      readonly events: readonly EventDefinition[];
    }
  | { readonly type: 'DefineEvent'; readonly event: EventDefinition };

// --- fold -----------------------------------------------------------------------------------------------------------

export const initialSpace: SpaceState = { name: null, events: ImmutableMap() };

const evolve = (state: SpaceState, event: SpaceEvent): SpaceState => {
  switch (event.type) {
    case 'SpaceCreated':
      return { ...state, name: event.data.name };
    case 'EventDefined':
    case 'EventEdited':
      return { ...state, events: state.events.set(event.data.eventId, event.data) };
    default:
      event satisfies never;
      return state;
  }
};

// --- decisions ------------------------------------------------------------------------------------------------------

const MAX_TEAM_SIZE = 20;

const wrongIn = (event: EventDefinition): readonly FieldError[] => {
  const errors: FieldError[] = [];
  const check = (holds: boolean, field: keyof EventDefinition, rule: string, message: string): void => {
    if (!holds) errors.push({ field, rule, message });
  };
  const { participants } = event;
  check(isEventId(event.eventId), 'eventId', 'pattern', 'must be 1 to 64 letters, digits, - or _');
  check(isName(event.name), 'name', 'name', nameRule());
  check(isName(event.category, 64), 'category', 'name', nameRule(64));
  check(Number.isSafeInteger(event.rank), 'rank', 'integer', 'must be an integer');
  check(
    VALUE_FORMATS.includes(event.format),
    'format',
    'one-of',
    `must be one of ${VALUE_FORMATS.join(', ')}`,
  );
  check(
    ROUND_FORMATS.includes(event.defaultRoundFormat),
    'defaultRoundFormat',
    'one-of',
    `must be one of ${ROUND_FORMATS.join(', ')}`,
  );
  check(
    Number.isInteger(participants) && participants >= 1 && participants <= MAX_TEAM_SIZE,
    'participants',
    'range',
    `must be an integer from 1 to ${MAX_TEAM_SIZE}`,
  );
  return errors;
};

const define = (event: EventDefinition, state: SpaceState): Decision<SpaceEvent> => {
  if (state.name === null) return reject({ code: 'space-not-found', detail: 'there is no such space' });
  const errors = wrongIn(event);
  if (errors.length > 0) return reject(invalid(errors));
  const data = definitionOf(event);
  const known = state.events.get(event.eventId);
  if (known === undefined) return accept({ type: 'EventDefined', data });
  const fixed = (['format', 'participants'] as const).filter((field) => known[field] !== data[field]);
  if (fixed.length > 0) {
    const message = `of ${event.eventId} cannot change: results depend on it`;
    return reject({
      code: 'rules-conflict',
      detail: `${fixed.join(' and ')} ${message}`,
      errors: fixed.map((field) => ({ field, rule: 'fixed', message })),
    });
  }
  return isSameData(known, data) ? accept() : accept({ type: 'EventEdited', data });
};

/** Accepts a repeated command when the space has this name, even if its catalogue has changed since. */
const create = (
  { spaceId, name, events }: Extract<SpaceCommand, { type: 'CreateSpace' }>,
  state: SpaceState,
): Decision<SpaceEvent> => {
  if (state.name !== null)
    return state.name === name
      ? accept()
      : reject({ code: 'already-exists', detail: `space ${spaceId} exists and is named ${state.name}` });
  const errors: FieldError[] = [];
  if (!isSpaceSlug(spaceId))
    errors.push({
      field: 'spaceId',
      rule: 'slug',
      message: 'must be 1 to 63 small letters, digits or -, begin with no -, and be no word of the API',
    });
  if (!isName(name)) errors.push({ field: 'name', rule: 'name', message: nameRule() });
  const seen = new Set<string>();
  for (const [index, event] of events.entries()) {
    for (const error of wrongIn(event)) errors.push({ ...error, field: `events[${index}].${error.field}` });
    if (seen.has(event.eventId))
      errors.push({ field: `events[${index}].eventId`, rule: 'unique', message: 'is defined twice' });
    seen.add(event.eventId);
  }
  if (errors.length > 0) return reject(invalid(errors));
  return accept<SpaceEvent>(
    { type: 'SpaceCreated', data: { spaceId, name } },
    ...events.map((event) => ({ type: 'EventDefined' as const, data: definitionOf(event) })),
  );
};

const decide = decideBy<SpaceCommand, SpaceState, SpaceEvent>({
  CreateSpace: create,
  DefineEvent: ({ event }, state) => define(event, state),
});

export const spaceDecider = { initialState: initialSpace, evolve, decide };

/** By the space's slug. */
export const spaceAggregate = {
  stream: spaceStream,
  decider: spaceDecider,
  schema: 1,
  sizeOf: ({ events }: SpaceState): number => 200 + 500 * events.size,
};
