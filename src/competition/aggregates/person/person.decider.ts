/**
 * A person: the dated timeline of regions, and whether the person was merged or erased. Names are in the operational
 * store. Order: state, commands, fold, decisions.
 */

import { List } from 'immutable';
import { MAX_VALUE } from '../../../domain/attempts.js';
import { accept, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import { isDate, isEventId } from '../../../domain/ids.js';
import { isNews, type KnownBest, type KnownSteps, withBests } from '../../../domain/known-bests.js';
import { isCountry, movedTimeline, regionOn } from '../../../domain/regions.js';
import { type FieldError, invalid, type RejectionCode } from '../../../domain/rejections.js';
import { VALUE_KINDS } from '../../../domain/results.js';
import { type PersonEvent, personStream, type RegionPeriod } from './person.events.js';

export interface PersonState {
  readonly phase: 'none' | 'registered' | 'merging' | 'merged' | 'erased';
  readonly personId: number;
  readonly spaceId: string;
  /** Ascending by `from`. */
  readonly timeline: readonly RegionPeriod[];
  /** The bests that were known of the person, from contests that the space need not have. */
  readonly bests: readonly KnownSteps[];
  /** While merging and after it: the person that this one becomes or became. */
  readonly into: number | null;
  /** Persons that were merged into this one, in the order of the merges. */
  readonly absorbed: List<number>;
}

export type PersonCommand =
  | ({ readonly type: 'RegisterPerson' } & Extract<PersonEvent, { type: 'PersonRegistered' }>['data'])
  /** Bests of other contests, as they were at the end of this day. */
  | { readonly type: 'LearnBests'; readonly on: string; readonly bests: readonly KnownBest[] }
  /** The profile in the operational store was changed. */
  | { readonly type: 'NoteProfileChange' }
  | { readonly type: 'MovePerson'; readonly from: string; readonly regionCode: string | null }
  | { readonly type: 'CorrectRegion'; readonly timeline: readonly RegionPeriod[] }
  | { readonly type: 'BeginMerge'; readonly into: number }
  | { readonly type: 'CancelMerge'; readonly into: number }
  /** `now`: whom `into` has become, or `into`. Given again when `into` is merged later. */
  | { readonly type: 'CompleteMerge'; readonly into: number; readonly now: number }
  /** The other person's merge is already a fact. Refused by a merged person, as the one whom they have become takes the other. */
  | { readonly type: 'AbsorbPerson'; readonly personId: number }
  | { readonly type: 'ErasePerson' };

type CommandOf<T extends PersonCommand['type']> = Extract<PersonCommand, { type: T }>;

// --- fold -----------------------------------------------------------------------------------------------------------

export const initialPerson: PersonState = {
  phase: 'none',
  personId: 0,
  spaceId: '',
  timeline: [],
  bests: [],
  into: null,
  absorbed: List(),
};

const evolve = (state: PersonState, event: PersonEvent): PersonState => {
  switch (event.type) {
    case 'PersonRegistered':
      return { ...state, ...event.data, phase: 'registered' };
    case 'PersonProfileChanged':
      return state;
    case 'PersonMoved':
      return { ...state, timeline: movedTimeline(state.timeline, event.data.from, event.data.regionCode) };
    case 'PersonRegionCorrected':
      return { ...state, timeline: event.data.timeline };
    case 'PersonalBestsKnown':
      return { ...state, bests: withBests(state.bests, event.data.on, event.data.bests) };
    case 'PersonMerging':
      return { ...state, phase: 'merging', into: event.data.into };
    case 'PersonMergeCancelled':
      return { ...state, phase: 'registered', into: null };
    case 'PersonMerged':
      return { ...state, phase: 'merged', into: event.data.into };
    case 'PersonAbsorbed':
      return { ...state, absorbed: state.absorbed.push(event.data.personId) };
    case 'PersonErased':
      return { ...state, phase: 'erased' };
    default:
      event satisfies never;
      return state;
  }
};

// --- decisions ------------------------------------------------------------------------------------------------------

const refuse = (code: RejectionCode, detail: string): Decision<PersonEvent> => reject({ code, detail });

/** Returns why this person cannot be changed, or null when it can. */
const unchangeable = (state: PersonState): Decision<PersonEvent> | null => {
  switch (state.phase) {
    case 'registered':
      return null;
    case 'none':
      return refuse('person-not-found', 'there is no such person');
    case 'merging':
      return refuse('person-state', `the person is being merged into person ${state.into}`);
    case 'merged':
      return refuse('person-state', `the person was merged into person ${state.into}`);
    case 'erased':
      return refuse('person-state', 'the person was erased');
    default:
      return state.phase satisfies never;
  }
};

const regionProblem = (field: string, regionCode: string | null): readonly FieldError[] =>
  regionCode === null || isCountry(regionCode)
    ? []
    : [{ field, rule: 'country', message: `${regionCode} is no country of ISO 3166-1 alpha-2` }];

const timelineProblems = (timeline: readonly RegionPeriod[]): readonly FieldError[] =>
  timeline.flatMap(({ from, regionCode }, index) => {
    const field = `timeline[${index}]`;
    const before = timeline[index - 1];
    const errors = [...regionProblem(`${field}.regionCode`, regionCode)];
    if (from !== null && !isDate(from))
      errors.push({ field: `${field}.from`, rule: 'date', message: 'must be a date, YYYY-MM-DD' });
    if (before !== undefined && (from === null || (before.from !== null && before.from >= from)))
      errors.push({
        field: `${field}.from`,
        rule: 'ascending',
        message: 'must be later than the one before',
      });
    return errors;
  });

const plain = (timeline: readonly RegionPeriod[]): readonly RegionPeriod[] =>
  timeline.map(({ from, regionCode }) => ({ from, regionCode }));

const register = (command: CommandOf<'RegisterPerson'>, state: PersonState): Decision<PersonEvent> => {
  const { personId, spaceId } = command;
  const timeline = plain(command.timeline);
  if (state.phase !== 'none') {
    const same = state.spaceId === spaceId && isSameData(state.timeline, timeline);
    return same ? accept() : refuse('already-exists', `person ${personId} is registered`);
  }
  const errors = timelineProblems(timeline);
  if (errors.length > 0) return reject(invalid(errors));
  return accept({ type: 'PersonRegistered', data: { personId, spaceId, timeline } });
};

const move = ({ from, regionCode }: CommandOf<'MovePerson'>, state: PersonState): Decision<PersonEvent> => {
  const refused = unchangeable(state);
  if (refused !== null) return refused;
  const errors = [...regionProblem('regionCode', regionCode)];
  if (!isDate(from)) errors.push({ field: 'from', rule: 'date', message: 'must be a date, YYYY-MM-DD' });
  if (errors.length > 0) return reject(invalid(errors));
  return regionOn(state.timeline, from) === regionCode
    ? accept()
    : accept({ type: 'PersonMoved', data: { from, regionCode } });
};

const correct = (command: CommandOf<'CorrectRegion'>, state: PersonState): Decision<PersonEvent> => {
  const refused = unchangeable(state);
  if (refused !== null) return refused;
  const timeline = plain(command.timeline);
  const errors = timelineProblems(timeline);
  if (errors.length > 0) return reject(invalid(errors));
  return isSameData(timeline, state.timeline)
    ? accept()
    : accept({ type: 'PersonRegionCorrected', data: { timeline } });
};

/** Keeps only what is better than all that is known of that day or before. */
const learn = ({ on, bests }: CommandOf<'LearnBests'>, state: PersonState): Decision<PersonEvent> => {
  const refused = unchangeable(state);
  if (refused !== null) return refused;
  const errors = bests.flatMap((best, index) => bestProblems(best, `bests[${index}]`));
  if (!isDate(on)) errors.push({ field: 'on', rule: 'date', message: 'must be a date, YYYY-MM-DD' });
  if (errors.length > 0) return reject(invalid(errors));
  const news = bests
    .filter((best) => isNews(state.bests, on, best))
    .map(({ eventId, kind, value }) => ({ eventId, kind, value }));
  return news.length === 0 ? accept() : accept({ type: 'PersonalBestsKnown', data: { on, bests: news } });
};

const bestProblems = ({ eventId, kind, value }: KnownBest, field: string): FieldError[] => {
  const errors: FieldError[] = [];
  if (!isEventId(eventId))
    errors.push({
      field: `${field}.eventId`,
      rule: 'pattern',
      message: 'must be 1 to 64 letters, digits, - or _',
    });
  if (!VALUE_KINDS.includes(kind))
    errors.push({
      field: `${field}.kind`,
      rule: 'one-of',
      message: `must be one of ${VALUE_KINDS.join(', ')}`,
    });
  if (!Number.isSafeInteger(value) || value < 1 || value > MAX_VALUE)
    errors.push({
      field: `${field}.value`,
      rule: 'range',
      message: `must be an integer from 1 to ${MAX_VALUE}`,
    });
  return errors;
};

const merge = (
  command: CommandOf<'BeginMerge' | 'CancelMerge' | 'CompleteMerge'>,
  state: PersonState,
): Decision<PersonEvent> => {
  const { into } = command;
  const underWay = state.phase === 'merging' && state.into === into;
  switch (command.type) {
    case 'BeginMerge':
      if (underWay || (state.phase === 'merged' && state.into === into)) return accept();
      if (state.phase === 'registered' && into === state.personId)
        return refuse('person-state', 'a person cannot be merged into themselves');
      return unchangeable(state) ?? accept({ type: 'PersonMerging', data: { into } });
    case 'CancelMerge':
      return underWay ? accept({ type: 'PersonMergeCancelled', data: { into } }) : accept();
    case 'CompleteMerge': {
      const { now } = command;
      if (state.phase === 'merged' && state.into === now) return accept();
      return underWay || (state.phase === 'merged' && state.into === into)
        ? accept({ type: 'PersonMerged', data: { into: now } })
        : refuse('person-state', `the person is not being merged into person ${into}`);
    }
    default:
      return command satisfies never;
  }
};

const decide = decideBy<PersonCommand, PersonState, PersonEvent>({
  RegisterPerson: register,
  LearnBests: learn,
  NoteProfileChange: (_, state) => unchangeable(state) ?? accept({ type: 'PersonProfileChanged', data: {} }),
  MovePerson: move,
  CorrectRegion: correct,
  BeginMerge: merge,
  CancelMerge: merge,
  CompleteMerge: merge,
  AbsorbPerson: ({ personId }, state) => {
    if (state.absorbed.includes(personId)) return accept();
    const refused = state.phase === 'none' || state.phase === 'merged' ? unchangeable(state) : null;
    return refused ?? accept({ type: 'PersonAbsorbed', data: { personId } });
  },
  ErasePerson: (_, state) =>
    state.phase === 'erased' ? accept() : (unchangeable(state) ?? accept({ type: 'PersonErased', data: {} })),
});

export const personDecider = { initialState: initialPerson, evolve, decide };

/** By the person's id. */
export const personAggregate = {
  stream: personStream,
  decider: personDecider,
  schema: 1,
  sizeOf: ({ timeline, bests, absorbed }: PersonState): number =>
    200 + 80 * timeline.length + 150 * bests.length + 20 * absorbed.size,
};
