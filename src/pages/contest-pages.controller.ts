/** The pages of a contest: podiums and open rounds, one round, all results, the competitors and each of them. */
import { Controller, Get, Param, Query, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Contest, competitorNumberOf, Round } from '../competition/contest-paths.js';
import type { ContestRef, RoundKey } from '../domain/references.js';
import { tags } from '../domain/tags.js';
import type { Fields } from '../http/body/fields.js';
import { baseOf } from '../http/message/space-segment.js';
import { ContestPageModels } from './contest-page-models.service.js';
import { filledIn } from './page-fields.js';
import { PageProblemFilter } from './page-problem.filter.js';
import { PageReplies } from './page-replies.js';

const CONTEST = 'contests/:competitionId';
const inSpaces = (path: string): string[] => [path, `:spaceId/${path}`];

@ApiExcludeController()
@Controller()
@UseFilters(PageProblemFilter)
export class ContestPagesController {
  constructor(
    private readonly models: ContestPageModels,
    private readonly replies: PageReplies,
  ) {}

  @Get(inSpaces(CONTEST))
  contest(@Contest() contest: ContestRef, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.keep(
      reply,
      { key: tags.contest(contest), tags: [tags.contest(contest), ...coverTags(contest)] },
      () => this.models.contest(contest),
    );
  }

  /** The round of the event that visitors look for. It depends on the day, so no page links to a number of its own. */
  @Get(inSpaces(`${CONTEST}/rounds/:eventId`))
  async event(
    @Contest() contest: ContestRef,
    @Param() { eventId }: { readonly eventId: string },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const roundNumber = await this.models.newestRound(contest, eventId);
    const path = [contest.competitionId, 'rounds', eventId, roundNumber].map(encodeURIComponent).join('/');
    reply.redirect(`${baseOf(contest.spaceId)}/contests/${path}`, 302);
  }

  /** It does not have the tag of the contest: a result of another round leaves it as it is. */
  @Get(inSpaces(`${CONTEST}/rounds/:eventId/:roundNumber`))
  round(@Round() round: RoundKey, @Res() reply: FastifyReply): Promise<void> {
    const tag = tags.round(round);
    return this.replies.keepWatched(reply, { key: tag, tags: [tag, ...coverTags(round)] }, () =>
      this.models.round(round),
    );
  }

  @Get(inSpaces(`${CONTEST}/results`))
  results(@Contest() contest: ContestRef, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.keep(
      reply,
      { key: `results ${tags.contest(contest)}`, tags: [tags.contest(contest), ...coverTags(contest)] },
      () => this.models.results(contest),
    );
  }

  /** Filtered lists are not cached, because searches differ. */
  @Get(inSpaces(`${CONTEST}/competitors`))
  competitors(
    @Contest() contest: ContestRef,
    @Query() query: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const filter = readFilter(query);
    const read = () => this.models.competitors(contest, filter);
    if (filter.search !== '' || filter.eventId !== null)
      return this.replies.read(reply, async () => (await read()).model);
    const changedBy = [tags.contest(contest), ...coverTags(contest)];
    return this.replies.keepWatched(reply, { key: tags.competitors(contest), tags: changedBy }, read);
  }

  @Get(inSpaces(`${CONTEST}/competitors/:number`))
  competitor(
    @Contest() contest: ContestRef,
    @Param() { number }: { readonly number: string },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const read = () => this.models.competitor(contest, competitorNumberOf(number));
    const key = `competitor ${number} ${tags.competitors(contest)}`;
    const changedBy = [tags.assignments(contest), ...coverTags(contest)];
    return this.replies.keepWatched(reply, { key, tags: changedBy }, read);
  }
}

/** Of what all pages of a contest show: its details, and whether it has a schedule and a competitor list. */
const coverTags = (contest: ContestRef): readonly string[] => [
  tags.schedule(contest),
  tags.competitors(contest),
  tags.events(contest.spaceId),
];

const readFilter = (query: Fields) => {
  const fields = filledIn(query);
  const search = (fields.text('search', 'a part of a name or a number') ?? '').trim();
  const eventId = fields.text('eventId', 'an event id');
  fields.check();
  return { search, eventId };
};
