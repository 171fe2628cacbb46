/** Lists the entries that were refused in the last day. */
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ListRefusedEntries, type RefusedEntriesPage } from './refused-entries.queries.js';
import { RefusedLog } from './refused-log.js';

@QueryHandler(ListRefusedEntries)
export class ListRefusedEntriesHandler implements IQueryHandler<ListRefusedEntries> {
  constructor(private readonly refused: RefusedLog) {}

  async execute({ filter }: ListRefusedEntries): Promise<RefusedEntriesPage> {
    const found = await this.refused.page({ ...filter, limit: filter.limit + 1 });
    const items = found
      .slice(0, filter.limit)
      .map(({ at, sender: _, ...entry }) => ({ ...entry, refusedAt: new Date(at).toISOString() }));
    return { items, next: found.length > filter.limit ? (items.at(-1)?.entryId ?? null) : null };
  }
}
