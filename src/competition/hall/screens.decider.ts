/** The commands of the screens of a contest, and the decisions on them. */
import { accept, type Decision, decideBy, reject } from '../../domain/decider.js';
import { isSameData } from '../../domain/equality.js';
import { type FieldError, invalid } from '../../domain/rejections.js';
import {
  evolve,
  noScreens,
  SCREEN_CONTENTS,
  SCREEN_THEMES,
  type Screen,
  type ScreensEvent,
  type ScreensState,
  screenNamed,
  screensStream,
} from './screens.events.js';

export const MAX_SCREENS = 20;
const MAX_ROUNDS_OF_SCREEN = 50;
export const MIN_SECONDS = 5;
export const MAX_SECONDS = 120;

/** The screen that a contest has without a choice, and the settings of every screen before the first. */
export const DEFAULT_SCREEN: Screen = {
  name: '1',
  shows: 'open-rounds',
  rounds: [],
  seconds: 15,
  theme: 'dark',
};

const SCREEN_NAME = /^[a-z0-9][a-z0-9-]{0,29}$/;
export const isScreenName = (name: string): boolean => SCREEN_NAME.test(name);

export type ScreensCommand =
  | {
      readonly type: 'SetScreen';
      readonly screen: Screen;
      /** Codes of the rounds that the contest plans. */
      readonly planned: ReadonlySet<string>;
    }
  | { readonly type: 'RemoveScreen'; readonly name: string };

type CommandOf<T extends ScreensCommand['type']> = Extract<ScreensCommand, { type: T }>;
type ScreensDecision = Decision<ScreensEvent>;

const roundProblems = ({ shows, rounds }: Screen, planned: ReadonlySet<string>): readonly FieldError[] => {
  if (shows !== 'rounds')
    return rounds.length === 0
      ? []
      : [{ field: 'rounds', rule: 'shows-rounds', message: 'only a screen that shows rounds names them' }];
  if (rounds.length < 1 || rounds.length > MAX_ROUNDS_OF_SCREEN) {
    const message = `must name from 1 to ${MAX_ROUNDS_OF_SCREEN} rounds`;
    return [{ field: 'rounds', rule: 'count', message }];
  }
  return rounds.flatMap((code, index) => {
    const field = `rounds[${index}]`;
    if (!planned.has(code))
      return [{ field, rule: 'planned-round', message: `the contest has no round ${code.slice(0, 100)}` }];
    return rounds.indexOf(code) === index
      ? []
      : [{ field, rule: 'once', message: `round ${code} is named twice` }];
  });
};

const screenProblems = (screen: Screen, planned: ReadonlySet<string>): readonly FieldError[] => {
  const { name, shows, seconds, theme } = screen;
  const wrong = (isRight: boolean, field: string, message: string): readonly FieldError[] =>
    isRight ? [] : [{ field, rule: field, message }];
  return [
    ...wrong(isScreenName(name), 'name', 'must be 1 to 30 of a-z, 0-9 and -, and not begin with -'),
    ...wrong(SCREEN_CONTENTS.includes(shows), 'shows', `must be one of ${SCREEN_CONTENTS.join(', ')}`),
    ...roundProblems(screen, planned),
    ...wrong(
      Number.isInteger(seconds) && seconds >= MIN_SECONDS && seconds <= MAX_SECONDS,
      'seconds',
      `must be from ${MIN_SECONDS} to ${MAX_SECONDS}`,
    ),
    ...wrong(SCREEN_THEMES.includes(theme), 'theme', `must be one of ${SCREEN_THEMES.join(', ')}`),
  ];
};

const setScreen = ({ screen, planned }: CommandOf<'SetScreen'>, state: ScreensState): ScreensDecision => {
  const { name, shows, rounds, seconds, theme } = screen;
  const data: Screen = { name, shows, rounds, seconds, theme };
  const before = screenNamed(state, name);
  if (before !== undefined && isSameData(before, data)) return accept();
  const errors = screenProblems(data, planned);
  if (errors.length > 0) return reject(invalid(errors));
  return before === undefined && state.length >= MAX_SCREENS
    ? reject({ code: 'screens', detail: `a contest has at most ${MAX_SCREENS} screens` })
    : accept({ type: 'ScreenSet', data });
};

export const screensDecider = {
  initialState: noScreens,
  evolve,
  decide: decideBy<ScreensCommand, ScreensState, ScreensEvent>({
    SetScreen: setScreen,
    RemoveScreen: ({ name }, state) =>
      screenNamed(state, name) ? accept({ type: 'ScreenRemoved', data: { name } }) : accept(),
  }),
};

const SCREEN_BYTES = 300;
const CODE_BYTES = 30;

/** By the contest. */
export const screensAggregate = {
  stream: screensStream,
  decider: screensDecider,
  schema: 1,
  sizeOf: (state: ScreensState): number =>
    state.reduce((sum, { rounds }) => sum + SCREEN_BYTES + CODE_BYTES * rounds.length, 0),
};
