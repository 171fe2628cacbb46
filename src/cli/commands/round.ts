/** Rounds of a contest: planning, opening, closing, and the history of one. */
import type { Command as BusCommand } from '@nestjs/cqrs';
import type { Command } from 'commander';
import type { RoundView } from '../../competition/contests/contest.queries.js';
import type { RoundChangeView } from '../../competition/results/round-history.js';
import { type Advancement, type Cutoff, ROUND_FORMATS, type RoundFormat } from '../../domain/attempts.js';
import type { RoundKey } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import { advancement, calendarDate, cutoff, duration, oneOf, positiveInteger } from '../arguments.js';
import { CliError } from '../refusals.js';
import { inReadingSession, inSession, type Session } from '../session.js';

interface RoundOptions {
  readonly format?: RoundFormat;
  readonly date?: string;
  /** Centiseconds; false: none. */
  readonly limit?: number | false;
  readonly cumulative?: string;
  readonly cutoff?: Cutoff | false;
  readonly advance?: Advancement | false;
}

export const roundCommands = (contest: Command): void => {
  for (const add of [planCommand, changeCommands, historyCommand]) add(contest);
};

export const ofRound = (command: Command): Command =>
  command
    .argument('<id>', 'the contest')
    .argument('<event>')
    .argument('<round>', 'number of the round, at least 1', positiveInteger);

const planCommand = (contest: Command): void => {
  ofRound(contest.command('plan-round'))
    .description('Add a round, or change its rules. Rules that are not given stay.')
    .option('--format <format>', '1, 2, 3, 5: best of; m: mean of 3; a: average of 5', oneOf(ROUND_FORMATS))
    .option('--date <date>', 'YYYY-MM-DD', calendarDate)
    .option('--limit <time>', 'such as 10:00, or centiseconds', duration)
    .option('--no-limit', 'remove the limit')
    .option('--cumulative <rounds>', 'rounds that share the limit, such as 333-r1,222-r1')
    .option('--cutoff <cutoff>', 'attempts:value, such as 2:1:00.00', cutoff)
    .option('--no-cutoff', 'remove the cutoff')
    .option(
      '--advance <number>',
      'who advances: 16, 75%, or under:10.00 for all with a better result',
      advancement,
    )
    .option('--no-advance', 'no competitor advances')
    .addHelpText(
      'after',
      `
Examples:
  podium contest plan-round SpringOpen2026 333 1 --format a --limit 10:00 --cutoff 2:1:00 --advance 75%
  podium contest plan-round SpringOpen2026 333 1 --no-cutoff`,
    )
    .action(
      inSession(async (session, id: string, eventId: string, roundNumber: number, options: RoundOptions) => {
        const { PlanRound } = await import('../../competition/contests/contest.commands.js');
        const before = await plannedRound(session, id, eventId, roundNumber);
        const rules = {
          format: options.format ?? before?.format ?? (await usualFormat(session, eventId)),
          date: options.date ?? before?.date ?? null,
          timeLimit: limitOf(options, before),
          cutoff: chosen(options.cutoff, before?.cutoff),
          advancement: chosen(options.advance, before?.advancement),
        };
        await session.run(
          new PlanRound(session.contest(id), { eventId, roundNumber, rules }, session.context),
        );
        session.out.answer(
          { competitionId: id, eventId, roundNumber, rules },
          `${eventId} round ${roundNumber} of ${id} is planned`,
        );
      }),
    );
};

/** Returns the given value, else the previous one; false removes it. */
const chosen = <T>(given: T | false | undefined, before: T | null | undefined): T | null =>
  given === undefined ? (before ?? null) : given === false ? null : given;

const limitOf = (options: RoundOptions, before: RoundView | undefined): RoundView['timeLimit'] => {
  const centiseconds = chosen(options.limit, before?.timeLimit?.centiseconds);
  if (centiseconds === null) {
    if (options.cumulative !== undefined) throw new CliError('--cumulative needs a --limit to share');
    return null;
  }
  const cumulativeRounds =
    options.cumulative?.split(',').filter((code) => code !== '') ?? before?.timeLimit?.cumulativeRounds ?? [];
  return { centiseconds, cumulativeRounds };
};

const plannedRound = async (
  { ask, contest }: Session,
  id: string,
  eventId: string,
  roundNumber: number,
): Promise<RoundView | undefined> => {
  const { GetContest } = await import('../../competition/contests/contest.queries.js');
  const view = await ask(new GetContest(contest(id), true));
  return view.events
    .find((event) => event.eventId === eventId)
    ?.rounds.find((round) => round.roundNumber === roundNumber);
};

const usualFormat = async ({ ask, spaceId }: Session, eventId: string): Promise<RoundFormat> => {
  const { ListEvents } = await import('../../competition/spaces/space.queries.js');
  const event = (await ask(new ListEvents(spaceId))).find((known) => known.eventId === eventId);
  if (event === undefined)
    throw new CliError(`there is no event ${eventId}; \`podium event list\` lists the events`);
  return event.defaultRoundFormat;
};

const changeCommands = (contest: Command): void => {
  changeCommand(contest, 'remove-round', {
    description: 'Remove a round that was never opened from the plan.',
    example: '333 2',
    outcome: { removed: true },
    text: 'is removed',
    step: async ({ eventId, roundNumber, ...ref }, context) => {
      const { RemoveRound } = await import('../../competition/contests/contest.commands.js');
      return new RemoveRound(ref, eventId, roundNumber, context);
    },
  });
  changeCommand(contest, 'open-round', {
    description:
      'Open a round for entry; the first one makes the contest ongoing. Also reopens a closed one. With a competitor list, a later ' +
      'round opens with those who advance by the rule: see advance-round.',
    example: '333 1',
    outcome: { open: true },
    text: 'is open',
    step: async (round, context) => {
      const { OpenRound } = await import('../../competition/rounds/round.commands.js');
      return new OpenRound(round, context);
    },
  });
  changeCommand(contest, 'close-round', {
    description: 'Close a round: it refuses further entries.',
    example: '333 1',
    outcome: { open: false },
    text: 'is closed',
    step: async (round, context) => {
      const { ChangeRound } = await import('../../competition/rounds/round.commands.js');
      return new ChangeRound(round, { type: 'CloseRound' }, context);
    },
  });
  changeCommand(contest, 'undo-opening', {
    description:
      'Take back the opening of a round without results. The round before is open again when it was closed for this one.',
    example: '333 2',
    outcome: { open: false },
    text: 'is as it was before it was opened',
    step: async (round, context) => {
      const { UndoOpening } = await import('../../competition/rounds/round.commands.js');
      return new UndoOpening(round, context);
    },
  });
};

interface RoundStep {
  readonly description: string;
  /** A round for the help. */
  readonly example: string;
  /** Fields of the JSON output, beside the name of the round. */
  readonly outcome: object;
  /** Text for people, after the name of the round. */
  readonly text: string;
  readonly step: (round: RoundKey, context: CommandContext) => Promise<BusCommand<Receipt>>;
}

const changeCommand = (
  contest: Command,
  name: string,
  { description, example, outcome, text, step }: RoundStep,
): void => {
  ofRound(contest.command(name))
    .description(description)
    .addHelpText('after', `\nExample:\n  podium contest ${name} SpringOpen2026 ${example}`)
    .action(
      inSession(
        async ({ run, contest: refOf, context, out }, id: string, eventId: string, roundNumber: number) => {
          await run(await step({ ...refOf(id), eventId, roundNumber }, context));
          out.answer(
            { competitionId: id, eventId, roundNumber, ...outcome },
            `${eventId} round ${roundNumber} of ${id} ${text}`,
          );
        },
      ),
    );
};

const historyCommand = (contest: Command): void => {
  ofRound(contest.command('history'))
    .description('Print every change of a round, its roster and its results: who, when, with which key.')
    .addHelpText('after', '\nExample:\n  podium contest history SpringOpen2026 333 1')
    .action(
      inReadingSession(
        async ({ ask, contest: named, out }, id: string, eventId: string, roundNumber: number) => {
          const { ListRoundHistory } = await import('../../competition/contests/contest.queries.js');
          const steps = await ask(new ListRoundHistory({ ...named(id), eventId, roundNumber }));
          out.list(steps, {
            at: 'at',
            persons: (step) => (step.kind === 'result' ? step.personIds.join(',') : competitorsText(step)),
            change: (step) =>
              step.kind === 'round' || step.undoes === null ? step.change : `undone (${step.undoes})`,
            attempt: (step) => (step.kind === 'result' ? step.attemptNumber : null),
            attempts: (step) => (step.kind === 'result' ? step.attempts.join(' ') : ''),
            by: 'actor',
            'key or account': ({ keyId, accountId }) => keyId ?? accountId,
          });
        },
      ),
    );
};

const competitorsText = ({ competitors }: RoundChangeView): string =>
  competitors.map((personIds) => personIds.join(',')).join(' ');
