/** Lists the API keys of a contest with their use. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { type ApiKeyView, ListKeys } from './key.queries.js';
import { keys } from './keys.projection.js';

const instant = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

/** Oldest first. */
@QueryHandler(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(OPERATIONAL_STORE) private readonly store: OperationalStore,
  ) {}

  async execute({ contest: { spaceId, competitionId } }: ListKeys): Promise<readonly ApiKeyView[]> {
    const issued = await this.readModels.snapshot((view) =>
      view.scan(keys, { index: 'byContest', equals: { spaceId, competitionId } }),
    );
    const uses = await this.store.keyUses(issued.map(({ id }) => id));
    return issued.map(({ id, device, state, reason, issuedAt, endedAt }) => {
      const use = uses.get(id);
      return {
        keyId: id,
        competitionId,
        device,
        state,
        reason,
        issuedAt: new Date(issuedAt).toISOString(),
        endedAt: instant(endedAt),
        lastUsedAt: instant(use?.lastUsedAt ?? null),
        accepted: use?.accepted ?? 0,
        refused: use?.refused ?? 0,
      };
    });
  }
}

export const keyQueryHandlers = [ListKeysHandler];
