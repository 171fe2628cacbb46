/** The screens of a contest: what each command sets, removes and refuses. */
import { describe, it } from '@jest/globals';
import {
  DEFAULT_SCREEN,
  MAX_SCREENS,
  type ScreensCommand,
  screensDecider,
} from '../../../../src/competition/hall/screens.decider.js';
import type { Screen, ScreensEvent } from '../../../../src/competition/hall/screens.events.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(screensDecider);

const ROUNDS: Screen = { ...DEFAULT_SCREEN, shows: 'rounds', rounds: ['333-r1', '222-r1'] };
const PLANNED = new Set(['333-r1', '333-r2', '222-r1']);

const setScreen = (change: Partial<Screen> = {}): ScreensCommand => ({
  type: 'SetScreen',
  screen: { ...DEFAULT_SCREEN, ...change },
  planned: PLANNED,
});
const isSet = (change: Partial<Screen> = {}): ScreensEvent => ({
  type: 'ScreenSet',
  data: { ...DEFAULT_SCREEN, ...change },
});

describe('a screen', () => {
  it('is added and changed, and the same choice again is nothing', () => {
    given([])
      .when(setScreen(ROUNDS))
      .then([isSet(ROUNDS)]);
    given([isSet(ROUNDS)])
      .when(setScreen({ shows: 'schedule' }))
      .then([isSet({ shows: 'schedule' })]);
    given([isSet(ROUNDS)])
      .when(setScreen(ROUNDS))
      .thenNothing();
  });

  it('stays as it is when a round of it is not planned any more', () => {
    given([isSet(ROUNDS)])
      .when({ type: 'SetScreen', screen: ROUNDS, planned: new Set() })
      .thenNothing();
  });

  it('is removed once', () => {
    const remove: ScreensCommand = { type: 'RemoveScreen', name: '1' };
    given([isSet()])
      .when(remove)
      .then([{ type: 'ScreenRemoved', data: { name: '1' } }]);
    given([]).when(remove).thenNothing();
    given([isSet(), { type: 'ScreenRemoved', data: { name: '1' } }])
      .when(setScreen())
      .then([isSet()]);
  });

  it.each([
    [{ name: '' }, ['name']],
    [{ name: '-a' }, ['name']],
    [{ name: 'Main Stage' }, ['name']],
    [{ name: 'x'.repeat(31) }, ['name']],
    [{ shows: 'rounds' }, ['rounds']],
    [{ shows: 'schedule', rounds: ['333-r1'] }, ['rounds']],
    [{ shows: 'rounds', rounds: ['333-r1', '444-r1', '333-r1'] }, ['rounds[1]', 'rounds[2]']],
    [{ seconds: 4 }, ['seconds']],
    [{ seconds: 121 }, ['seconds']],
    [{ seconds: 7.5 }, ['seconds']],
  ] as const)('%j is refused at %j', (change, fields) => {
    given([])
      .when(setScreen(change))
      .thenRefused('invalid-request', ...fields);
  });

  it('is one of at most so many', () => {
    const all = Array.from({ length: MAX_SCREENS }, (_, index) => isSet({ name: `s${index}` }));
    given(all)
      .when(setScreen({ name: 'one-more' }))
      .thenRefused('screens');
    given(all)
      .when(setScreen({ name: 's3', theme: 'light' }))
      .then([isSet({ name: 's3', theme: 'light' })]);
  });
});
