/** Changes the screens of a contest. Which rounds are planned is read from the contest's stream, again after each conflict. */
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { type Receipt, receiptOf } from '../../foundation/aggregates/outcome.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { ChangeScreens, type ScreensChange } from './screens.commands.js';
import { type ScreensCommand, screensAggregate } from './screens.decider.js';

@CommandHandler(ChangeScreens)
export class ChangeScreensHandler implements ICommandHandler<ChangeScreens> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest, change, context }: ChangeScreens): Promise<Receipt> {
    const command = (): Promise<ScreensCommand> => this.#commandOf(contest, change);
    return receiptOf(await this.aggregates.execute(screensAggregate, contest, command, context));
  }

  async #commandOf(contest: ContestRef, change: ScreensChange): Promise<ScreensCommand> {
    const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    if (state.phase === 'none' || state.phase === 'deleted')
      throw new RejectedError({
        code: 'contest-not-found',
        detail: `there is no contest ${contest.competitionId}`,
      });
    return change.type === 'SetScreen' ? { ...change, planned: new Set(state.rounds.keys()) } : change;
  }
}
