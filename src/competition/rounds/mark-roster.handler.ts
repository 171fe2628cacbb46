/** Marks competitors of a round's roster, or adds them to it. */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RejectedError } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import { asOnRoster, type Members, type RosterMark } from '../aggregates/round/roster.js';
import { MarkRoster } from '../aggregates/round/round.commands.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import { contestWith } from '../aggregates/round/round.handlers.js';
import { Competitors, unknownPersons } from '../persons/competitors.js';

@CommandHandler(MarkRoster)
export class MarkRosterHandler implements ICommandHandler<MarkRoster> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(Competitors) private readonly competitors: Competitors,
  ) {}

  async execute({ round, competitors, context }: MarkRoster): Promise<Receipt> {
    await contestWith(this.aggregates, round);
    const selectors = competitors.map(({ personIds }) => ({ by: 'personId', personIds }) as const);
    const found = await this.competitors.resolve(round.spaceId, selectors);
    const errors = unknownPersons(found, (index) => `competitors[${index}].personIds`);
    if (errors.length > 0) {
      const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
      throw new RejectedError({ code: 'person-not-found', detail, errors });
    }
    const { state } = await this.aggregates.load(roundAggregate, round, { fresh: true });
    const marked: { readonly personIds: Members; readonly mark: RosterMark }[] = [];
    for (const [index, { mark }] of competitors.entries()) {
      const named = found[index];
      if (named === undefined || 'unknown' in named) continue;
      const all = named.personIds.map((id) => this.competitors.idsOf(round.spaceId, id));
      const members = await Promise.all(all);
      const personIds = state.roster === null ? named.personIds : asOnRoster(state.roster, members);
      marked.push({ personIds, mark });
    }
    const command = { type: 'MarkRoster', competitors: marked } as const;
    const { position } = accepted(await this.aggregates.execute(roundAggregate, round, command, context));
    return { position };
  }
}
