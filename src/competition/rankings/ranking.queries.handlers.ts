/** Answers rankings with ready replies. */
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ReadyReply } from '../../http/replies/ready-reply.js';
import { ListCache } from './list-cache.js';
import { GetPersonResultsHandler } from './person-results.handler.js';
import { GetRankings } from './ranking.queries.js';

@QueryHandler(GetRankings)
export class GetRankingsHandler implements IQueryHandler<GetRankings> {
  constructor(private readonly lists: ListCache) {}

  execute({ list, topN }: GetRankings): Promise<ReadyReply> {
    return this.lists.reply(list, topN);
  }
}

export const rankingQueryHandlers = [GetRankingsHandler, GetPersonResultsHandler];
