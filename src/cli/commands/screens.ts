/** `podium screens`: what the screens of a contest in the venue show. */
import type { Command } from 'commander';
import type { ScreensChange } from '../../competition/hall/screens.commands.js';
import { SCREEN_CONTENTS, SCREEN_THEMES, type Screen } from '../../competition/hall/screens.events.js';
import { oneOf, positiveInteger } from '../arguments.js';
import type { Columns } from '../output.js';
import { inReadingSession, inSession, type Session } from '../session.js';

export const screensCommands = (program: Command): void => {
  const screens = program
    .command('screens')
    .description('The screens of a contest in the venue: what each one shows at /screen/CONTEST/NAME.');
  for (const add of [listCommand, setCommand, removeCommand]) add(screens);
};

const listCommand = (screens: Command): void => {
  screens
    .command('list')
    .description('List the screens of a contest.')
    .argument('<id>', 'the contest')
    .addHelpText('after', '\nExample:\n  podium screens list SpringOpen2026')
    .action(inReadingSession(listScreens));
};

interface SetOptions {
  readonly shows: Screen['shows'];
  readonly rounds?: readonly string[];
  readonly seconds?: number;
  readonly theme?: Screen['theme'];
}

const setCommand = (screens: Command): void => {
  screens
    .command('set')
    .description('Choose what a screen shows. Adds the screen where there is none of the name.')
    .argument('<id>', 'the contest')
    .argument('<screen>', 'its name, such as 1 or stage')
    .requiredOption('--shows <what>', SCREEN_CONTENTS.join(', '), oneOf(SCREEN_CONTENTS))
    .option('--rounds <codes>', 'with --shows rounds: such as 333-r1,222-r2', (text) => text.split(','))
    .option('--seconds <number>', 'how long each page of a round is shown', positiveInteger)
    .option('--theme <theme>', SCREEN_THEMES.join(', '), oneOf(SCREEN_THEMES))
    .addHelpText(
      'after',
      `
Examples:
  podium screens set SpringOpen2026 1 --shows open-rounds
  podium screens set SpringOpen2026 stage --shows rounds --rounds 333-r3,222-r2 --seconds 20
  podium screens set SpringOpen2026 foyer --shows schedule --theme light`,
    )
    .action(
      inSession(async (session, id: string, name: string, options: SetOptions) => {
        const { DEFAULT_SCREEN } = await import('../../competition/hall/screens.decider.js');
        const screen = { ...DEFAULT_SCREEN, ...options, name };
        await change(session, id, { type: 'SetScreen', screen });
      }),
    );
};

const removeCommand = (screens: Command): void => {
  screens
    .command('remove')
    .description('Remove a screen. At its address it then shows the open rounds.')
    .argument('<id>', 'the contest')
    .argument('<screen>', 'as `podium screens list` shows it')
    .addHelpText('after', '\nExample:\n  podium screens remove SpringOpen2026 stage')
    .action(
      inSession((session, id: string, name: string) => change(session, id, { type: 'RemoveScreen', name })),
    );
};

const change = async (session: Session, id: string, what: ScreensChange): Promise<void> => {
  const { ChangeScreens } = await import('../../competition/hall/screens.commands.js');
  await session.run(new ChangeScreens(session.contest(id), what, session.context));
  await listScreens(session, id);
};

const listScreens = async ({ ask, contest, out }: Session, id: string): Promise<void> => {
  const { ListScreens } = await import('../../competition/hall/screens.queries.js');
  out.list(await ask(new ListScreens(contest(id))), COLUMNS);
};

const COLUMNS: Columns<Screen> = {
  screen: 'name',
  shows: 'shows',
  rounds: ({ rounds }) => rounds.join(', '),
  seconds: 'seconds',
  theme: 'theme',
};
