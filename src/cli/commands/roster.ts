/** Who is expected in a round, and who advances from it to the next one. */
import type { Command } from 'commander';
import type { MissingView } from '../../competition/contests/contest.queries.js';
import type { PersonView } from '../../competition/persons/person.queries.js';
import type { AdvancementView, PlacedCompetitorView } from '../../competition/rounds/advancement.queries.js';
import type { RoundKey } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import type { Members, ModeratorMark } from '../../domain/roster.js';
import { oneOf, personIds, repeated } from '../arguments.js';
import { CliError } from '../refusals.js';
import { inReadingSession, inSession, type Session } from '../session.js';
import { ofRound } from './round.js';

export const rosterCommands = (contest: Command): void => {
  for (const add of [advancementCommand, advanceCommand, markCommand]) add(contest);
};

type NamedPersons = Pick<MissingView, 'persons'>;

const idsOf = ({ persons }: NamedPersons): Members => persons.map(({ id }) => id);

const nameOf = ({ id, name }: PersonView): string => `${name} (${id})`;

const textOf = (competitor: NamedPersons & Partial<Pick<PlacedCompetitorView, 'place'>>): string => {
  const names = competitor.persons.map(nameOf).join(', ');
  return competitor.place === undefined ? names : `${competitor.place}. ${names}`;
};

const askAdvancement = async (session: Session, round: RoundKey): Promise<AdvancementView> => {
  const { GetAdvancement } = await import('../../competition/rounds/advancement.queries.js');
  return session.ask(new GetAdvancement(round));
};

/** Who is offered for the places of those who have quit. */
const nextInLineOf = async ({
  competitors,
  line,
  places,
  most,
}: AdvancementView): Promise<readonly PlacedCompetitorView[]> => {
  const { nextInLine } = await import('../../domain/advancement.js');
  const taken = competitors.length;
  return nextInLine(line, { free: (places ?? 0) - taken, room: most - taken });
};

const advancementCommand = (contest: Command): void => {
  ofRound(contest.command('advancement'))
    .description('Print how far a round is: who is missing, who advances, and who is next in line.')
    .addHelpText('after', '\nExample:\n  podium contest advancement SpringOpen2026 333 1')
    .action(
      inReadingSession(async (session, id: string, eventId: string, roundNumber: number) => {
        const view = await askAdvancement(session, { ...session.contest(id), eventId, roundNumber });
        const reserves = view.next?.opened ? view.next.reserves : await nextInLineOf(view);
        session.out.answer(view, () => reportOf(view, reserves).join('\n'));
      }),
    );
};

const reportOf = (view: AdvancementView, reserves: readonly PlacedCompetitorView[]): readonly string[] => {
  const { progress, missing, incomplete, competitors, leaving, line, hasRule, toConfirm } = view;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((each) => `  ${each}`)];
  return [
    progress === null
      ? 'It takes every known person: the contest has no competitor list, or had none when the round was opened.'
      : `${progress.entered} of ${progress.expected} entered, ${progress.complete} complete`,
    ...section(
      'Missing',
      missing.map((entry) => `${textOf(entry)}: ${entry.mark}`),
    ),
    ...section('With attempts missing', incomplete.map(textOf)),
    ...section('Advancing', competitors.map(textOf)),
    ...section('Would advance, and has quit', leaving.map(textOf)),
    ...section('Next in line for free places', reserves.map(textOf)),
    ...(hasRule ? [] : section('No rule for advancing: to choose from', line.map(textOf))),
    ...section(
      'To confirm',
      toConfirm.map(({ message }) => message),
    ),
  ];
};

interface AdvanceOptions {
  readonly competitor?: readonly Members[];
  readonly nextInLine?: true;
  readonly yes?: true;
}

const advanceCommand = (contest: Command): void => {
  ofRound(contest.command('advance-round'))
    .description(
      'Close a round and open the next one with those who advance by its rule and have not quit. Repeating it completes what was cut off.',
    )
    .option(
      '--competitor <personIds>',
      'who advances instead, such as 7, or 7,12 for a team; repeated',
      repeated(personIds),
    )
    .option('--next-in-line', 'also those next in line for the places of those who have quit')
    .option('--yes', 'without a question: results are missing, competitors are few, or others are chosen')
    .addHelpText(
      'after',
      `
Examples:
  podium contest advance-round SpringOpen2026 333 1
  podium contest advance-round SpringOpen2026 333 1 --competitor 7 --competitor 12 --yes`,
    )
    .action(
      inSession(
        async (session, id: string, eventId: string, roundNumber: number, options: AdvanceOptions) => {
          const round = { ...session.contest(id), eventId, roundNumber };
          const competitors = options.competitor ?? (await competitorsByRule(session, round, options));
          await advance(session, round, { competitors, isConfirmed: options.yes === true });
          session.out.answer(
            { competitionId: id, eventId, roundNumber: roundNumber + 1, open: true, competitors },
            `${eventId} round ${roundNumber + 1} of ${id} is open, with ${competitors.length} competitors`,
          );
        },
      ),
    );
};

const competitorsByRule = async (
  session: Session,
  round: RoundKey,
  { nextInLine }: AdvanceOptions,
): Promise<readonly Members[]> => {
  const view = await askAdvancement(session, round);
  if (!view.hasRule)
    throw new CliError(
      `round ${round.roundNumber} has no rule for advancing: name with --competitor who advances; ` +
        '`podium contest advancement` lists the competitors',
    );
  return [...view.competitors, ...(nextInLine ? await nextInLineOf(view) : [])].map(idsOf);
};

const advance = async (
  { run, context }: Session,
  round: RoundKey,
  { competitors, isConfirmed }: { readonly competitors: readonly Members[]; readonly isConfirmed: boolean },
): Promise<void> => {
  const { AdvanceRound } = await import('../../competition/rounds/round.commands.js');
  const { CONFIRMATIONS } = await import('../../domain/advancement-plan.js');
  try {
    await run(new AdvanceRound(round, competitors, isConfirmed ? CONFIRMATIONS : [], context));
  } catch (error) {
    if (!(error instanceof RejectedError) || error.rejection.code !== 'to-confirm') throw error;
    const questions = (error.rejection.errors ?? []).map(({ message }) => message);
    throw new CliError(`${questions.join('; ')}. Nothing was done; --yes does it nevertheless`);
  }
};

const MARKS = ['expected', 'no-show', 'quit'] as const satisfies readonly ModeratorMark[];

const markCommand = (contest: Command): void => {
  ofRound(contest.command('mark-roster'))
    .description(
      'Mark competitors of a round: expected (also adds them), no-show (may still come), quit (competes no more; a result stays).',
    )
    .argument('<mark>', MARKS.join(', '), oneOf(MARKS))
    .argument('[personIds...]', 'competitors, such as 7, or 7,12 for a team', repeated(personIds))
    .option('--missing', 'all who are expected and have no result')
    .addHelpText(
      'after',
      `
Examples:
  podium contest mark-roster SpringOpen2026 333 1 no-show --missing
  podium contest mark-roster SpringOpen2026 333 2 quit 7`,
    )
    .action(
      inSession(
        async (
          session,
          id: string,
          eventId: string,
          roundNumber: number,
          mark: ModeratorMark,
          named: readonly Members[] | undefined,
          { missing }: { readonly missing?: true },
        ) => {
          const round = { ...session.contest(id), eventId, roundNumber };
          const competitors = [...(named ?? []), ...(missing ? await awaitedIn(session, round) : [])];
          if (competitors.length === 0 && !missing)
            throw new CliError('name competitors by their person ids, or give --missing');
          const { MarkRoster } = await import('../../competition/rounds/round.commands.js');
          const rows = competitors.map((each) => ({ personIds: each, mark }));
          await session.run(new MarkRoster(round, rows, session.context));
          session.out.answer(
            { competitionId: id, eventId, roundNumber, mark, competitors },
            `${competitors.length} marked as ${mark} in ${eventId} round ${roundNumber} of ${id}`,
          );
        },
      ),
    );
};

const awaitedIn = async (session: Session, round: RoundKey): Promise<readonly Members[]> => {
  const { missing } = await askAdvancement(session, round);
  return missing.filter(({ mark }) => mark === 'expected').map(idsOf);
};
