/**
 * Carries a random history out through the real commands and keeps the facts that were accepted for the oracle. A
 * refused command leaves no fact: if it changed anything nevertheless, the comparison shows it. Each history gets a
 * space of its own, so that one application serves many and a leak between spaces would be noticed.
 */
import { CommandBus } from '@nestjs/cqrs';
import { AnnounceContest, CreateContest } from '../../src/contests/contest.commands.js';
import type { PlannedRound } from '../../src/contests/contest.events.js';
import { RejectedError } from '../../src/domain/rejections.js';
import type { RoundKey } from '../../src/eventstore/streams.js';
import { RegisterPerson } from '../../src/persons/person.commands.js';
import { EnterAttempt, EnterResults, type EntryReceipt, OpenRound } from '../../src/rounds/round.commands.js';
import { CreateSpace } from '../../src/spaces/space.commands.js';
import { CONTESTS, EVENTS, type History, pickedValue, type Step } from './histories.js';
import { worldAfter } from './oracle/world.js';
import {
  at,
  attemptsIn,
  CONTEXT,
  choose,
  definitionOf,
  type RanHistory,
  roundFact,
  roundKey,
  rulesFor,
  stepCommand,
} from './step-commands.js';

const START = '2020-01-01';
const END = '2020-03-02';

/** What an entry answered, to be held against what the oracle makes of the same facts. */
export type OnEntry = (ran: RanHistory, round: RoundKey, receipt: EntryReceipt) => void;

export class HistoryRunner {
  constructor(
    private readonly commands: CommandBus,
    private readonly onEntry: OnEntry = () => undefined,
  ) {}

  /** Carries out everything; `after` is called behind each step. */
  async run(
    history: History,
    spaceId: string,
    after: (ran: RanHistory, step: number) => Promise<void>,
  ): Promise<RanHistory> {
    const ran = await this.begin(history, spaceId);
    for (const [index, step] of history.steps.entries()) {
      await this.take(ran, step);
      await after(ran, index);
    }
    return ran;
  }

  private async begin(history: History, spaceId: string): Promise<RanHistory> {
    const competitionIds = CONTESTS.map((type) => `${type}20`);
    const personIds: number[] = [];
    const ran: RanHistory = {
      spaceId,
      competitionIds,
      personIds,
      facts: [],
      position: 0,
      accepted: 0,
      refused: 0,
    };
    const definitions = EVENTS.map((event, index) =>
      definitionOf(event, index, at(history.defaultFormats, index)),
    );
    await this.commands.execute(new CreateSpace(spaceId, spaceId, definitions, CONTEXT));
    ran.facts.push(...definitions.map((definition) => ({ fact: 'event' as const, ...definition })));
    for (const [index, timeline] of history.timelines.entries()) {
      const profile = {
        name: `Person ${index}`,
        localizedName: index === 1 ? '選手' : null,
        assocId: index % 3 === 2 ? null : `2020Pers0${index}`,
      };
      const registered = await this.commands.execute(
        new RegisterPerson({ spaceId, ...profile, timeline }, CONTEXT),
      );
      personIds.push(registered.personId);
      ran.facts.push({ fact: 'person', personId: registered.personId, ...profile, timeline });
    }
    for (const index of CONTESTS.keys()) await this.beginContest(ran, history, index);
    return ran;
  }

  private async beginContest(ran: RanHistory, history: History, index: number): Promise<void> {
    const contest = { spaceId: ran.spaceId, competitionId: at(ran.competitionIds, index) };
    const details = {
      name: `Contest ${index}`,
      shortName: `C ${index}`,
      type: at(CONTESTS, index),
      city: null,
      regionCode: index === 0 ? 'IE' : null,
      venue: null,
      startDate: START,
      endDate: END,
      organizerIds: [],
    };
    const rounds = EVENTS.flatMap((event) =>
      Array.from({ length: event.rounds }, (_, number) => ({ event, number })),
    );
    const planned = rounds.map(
      ({ event, number }, place): PlannedRound => ({
        eventId: event.eventId,
        roundNumber: number + 1,
        rules: rulesFor(event, at(history.rules, index * rounds.length + place)),
      }),
    );
    await this.commands.execute(new CreateContest(contest, details, planned, CONTEXT));
    ran.facts.push({ fact: 'contest', ...contest, ...details });
    ran.facts.push(...planned.map((round) => roundFact(contest.competitionId, round)));
    await this.commands.execute(new AnnounceContest(contest, CONTEXT));
    for (const { eventId, roundNumber } of planned) {
      const opened = await this.commands.execute(
        new OpenRound({ ...contest, eventId, roundNumber }, CONTEXT),
      );
      ran.position = opened.position;
    }
    ran.facts.push({ fact: 'contest-state', competitionId: contest.competitionId, state: 'ongoing' });
  }

  /** The command's answer, or null when it was refused. */
  private async attempted<R extends { position: number }>(
    ran: RanHistory,
    answer: Promise<R>,
  ): Promise<R | null> {
    try {
      const receipt = await answer;
      ran.accepted += 1;
      ran.position = Math.max(ran.position, receipt.position);
      return receipt;
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      ran.refused += 1;
      return null;
    }
  }

  private async take(ran: RanHistory, step: Step): Promise<void> {
    if (step.step === 'attempt' || step.step === 'results') return this.enter(ran, step);
    const { execute, facts } = stepCommand(this.commands, ran, step);
    const receipt = await this.attempted(ran, execute());
    if (receipt !== null) ran.facts.push(...facts);
  }

  private async enter(ran: RanHistory, step: Extract<Step, { step: 'attempt' | 'results' }>): Promise<void> {
    const event = at(EVENTS, step.round.event);
    const round = roundKey(ran, step.round);
    const { spaceId: _, ...name } = round;
    const world = worldAfter(ran.facts);
    const most = attemptsIn(world, round);
    const rows =
      step.step === 'attempt'
        ? [{ competitor: step.competitor, values: [pickedValue(event.format, step.pick)] }]
        : step.rows.map((row) => ({
            ...row,
            values: row.picks.slice(0, most).map((pick) => pickedValue(event.format, pick)),
          }));
    const attemptNumber = step.step === 'attempt' ? 1 + (step.attemptNumber % most) : 0;
    const chosen = rows.map(({ competitor, values }) => ({
      values,
      ...choose(ran, world, event, competitor),
    }));
    const [first] = chosen;
    if (first === undefined) return;
    const receipt = await this.attempted(
      ran,
      step.step === 'attempt'
        ? this.commands.execute(
            new EnterAttempt(round, first.selector, attemptNumber, at(first.values, 0), CONTEXT),
          )
        : this.commands.execute(
            new EnterResults(
              round,
              chosen.map(({ selector, values }) => ({ competitor: selector, attempts: values })),
              CONTEXT,
            ),
          ),
    );
    if (receipt === null) return;
    for (const { personIds, values } of chosen) {
      ran.facts.push(
        step.step === 'attempt'
          ? { fact: 'attempt', ...name, personIds, attemptNumber, value: at(values, 0) }
          : { fact: 'result', ...name, personIds, attempts: values },
      );
    }
    this.onEntry(ran, round, receipt);
  }
}
