/** Arbitrary commands of the screens of a contest: few names and rounds, so that commands meet, mixed with some that are refused. */
import fc from 'fast-check';
import { DEFAULT_SCREEN, type ScreensCommand } from '../../src/competition/hall/screens.decider.js';
import { SCREEN_CONTENTS, SCREEN_THEMES } from '../../src/competition/hall/screens.events.js';

const name = fc.constantFrom('1', '2', 'main-stage', 'Not a name');

const screensCommand: fc.Arbitrary<ScreensCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('SetScreen' as const),
      planned: fc.constantFrom(new Set<string>(), new Set(['333-r1', '222-r1'])),
      screen: fc.record({
        name,
        shows: fc.constantFrom(...SCREEN_CONTENTS),
        rounds: fc.array(fc.constantFrom('333-r1', '222-r1', '444-r1'), { maxLength: 2 }),
        seconds: fc.constantFrom(0, DEFAULT_SCREEN.seconds, 60),
        theme: fc.constantFrom(...SCREEN_THEMES),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('RemoveScreen' as const), name }) },
);

export const screensHistory = fc.array(screensCommand, { maxLength: 12 });
