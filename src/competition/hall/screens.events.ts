/**
 * The stream, events, state and fold of the screens of a contest: what each screen in the venue shows. It has a stream of its
 * own, because nothing that decides on results or on the schedule needs it.
 */
import type { EventKinds } from '../../domain/decider.js';
import type { ContestRef } from '../../domain/references.js';
import type { StreamCategory } from '../../domain/streams.js';

export const screensStream: StreamCategory<ContestRef> = {
  name: 'screens',
  id: { spaceId: 'text', competitionId: 'text' },
};

/** `open-rounds`: all rounds that are open, in turn. `rounds`: those chosen, in turn. `schedule`: now and next. */
export const SCREEN_CONTENTS = ['open-rounds', 'rounds', 'schedule'] as const;
export type ScreenContent = (typeof SCREEN_CONTENTS)[number];

export const SCREEN_THEMES = ['light', 'dark'] as const;
export type ScreenTheme = (typeof SCREEN_THEMES)[number];

export interface Screen {
  /** In the address of the screen: `1`, `main-stage`. */
  readonly name: string;
  readonly shows: ScreenContent;
  /** Codes such as `333-r1`, in their turn; empty unless it shows `rounds`. */
  readonly rounds: readonly string[];
  /** How long each page of a round is shown. */
  readonly seconds: number;
  readonly theme: ScreenTheme;
}

export type ScreensEvent =
  /** The screen is new, or shows something else. */
  | { readonly type: 'ScreenSet'; readonly data: Screen }
  | { readonly type: 'ScreenRemoved'; readonly data: { readonly name: string } };

export const screensEvents: EventKinds<ScreensEvent> = { ScreenSet: 'control', ScreenRemoved: 'control' };

/** In the order in which they were added. */
export type ScreensState = readonly Screen[];

export const noScreens: ScreensState = [];

export const evolve = (state: ScreensState, event: ScreensEvent): ScreensState => {
  switch (event.type) {
    case 'ScreenSet': {
      const at = state.findIndex(({ name }) => name === event.data.name);
      return at === -1 ? [...state, event.data] : state.with(at, event.data);
    }
    case 'ScreenRemoved':
      return state.filter(({ name }) => name !== event.data.name);
    default:
      event satisfies never;
      return state;
  }
};

export const screenNamed = (state: ScreensState, wanted: string): Screen | undefined =>
  state.find(({ name }) => name === wanted);
