/**
 * Undoes a change of a result. The attempts before the change come from the round's own stream, where they cannot
 * change. The round decides, in turn with every other entry, whether the change is still the last one.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { otherRounds } from '../../domain/round-rules.js';
import { StreamNames } from '../../domain/streams.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { Competitors } from '../aggregates/person/competitors.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import { roundStream } from '../aggregates/round/round.js';
import { type ResultChangeView, resultHistory } from '../results/round-history.js';
import type { Entrant } from './contest-entrants.js';
import { entrants, entryPreconditions } from './entry.handlers.js';
import { enteredResults } from './entry-receipts.js';
import { type EntryReceipt, UndoChange } from './round.commands.js';
import { timesIn } from './spent-elsewhere.js';

@CommandHandler(UndoChange)
export class UndoChangeHandler implements ICommandHandler<UndoChange> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: AggregateRuntime,
    @Inject(EVENT_STORE) private readonly events: Pick<EventStore, 'readStream'>,
    private readonly names: StreamNames,
    readonly competitors: Competitors,
  ) {}

  async execute({ round, resultId, change, context }: UndoChange): Promise<EntryReceipt> {
    const preconditions = await entryPreconditions(this.aggregates, round, context);
    const steps = (await this.#history(round)).filter((step) => step.resultId === resultId);
    if (preconditions.refusal !== null) throw new RejectedError(preconditions.refusal);
    const undone = steps[change - 1];
    if (undone === undefined) {
      const detail = `result ${resultId} has no change ${change}`;
      throw new RejectedError({ code: 'change-not-found', detail });
    }
    const entrant = await this.#entrant(round, undone);
    const last = steps.at(-1);
    if (last?.undoes === change && last.number === change + 1) return this.#asItIs(round, entrant);
    const others = otherRounds(round, preconditions.rules);
    const command = async (): Promise<RoundCommand> => ({
      type: 'UndoChange',
      eventId: round.eventId,
      competitor: { ...entrant, elsewhere: (await timesIn(this.aggregates, others))(entrant) },
      change,
      before: steps[change - 2]?.attempts ?? [],
      order: steps[change - 2]?.personIds,
    });
    const outcome = accepted(await this.aggregates.execute(roundAggregate, round, command, context));
    return {
      results: enteredResults(outcome.state, outcome.events, [entrant]),
      position: outcome.position,
    };
  }

  /** The persons of the change, following merges. */
  async #entrant(round: RoundKey, { resultId, personIds }: ResultChangeView): Promise<Entrant> {
    const selector = { by: 'personId', personIds } as const;
    const [resolved] = await entrants(this, round, [{ selector, field: 'resultId' }]);
    return { ...(resolved ?? { named: personIds, personIds, field: 'resultId' }), resultId };
  }

  /** The change was undone already and nothing followed: the client repeats a request whose reply was lost. */
  async #asItIs(round: RoundKey, entrant: Entrant): Promise<EntryReceipt> {
    const { state, position } = await this.aggregates.load(roundAggregate, round, { fresh: true });
    return { results: enteredResults(state, [], [entrant]), position };
  }

  async #history(round: RoundKey): Promise<readonly ResultChangeView[]> {
    return resultHistory((await this.events.readStream(this.names.of(roundStream, round))) ?? []);
  }
}
