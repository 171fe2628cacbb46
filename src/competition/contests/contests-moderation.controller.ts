/**
 * The moderation of contests over HTTP, with the same commands as the command line. A reply to a command is the
 * contest as it is after it. Admins manage all contests of their space, moderators the contests that are assigned to
 * them.
 */
import { Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { linkToNext } from '../../http/message/paths.js';
import { SpaceId } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import { AtContest, type ContestExchange } from '../contest-access.js';
import {
  AnnounceContest,
  CreateContest,
  EditContest,
  EndContest,
  ReopenContest,
} from './contest.commands.js';
import { CONTEST_STAGES, type ContestStage } from './contest.queries.js';
import { readDetailsChange, readNewContest } from './contest-body.js';
import { ChangesContest, ContestModeration, changedContest, ReadsContest } from './contest-moderation.js';
import {
  ContestChangeBody,
  EndingDto,
  ModeratedContestDto,
  ModeratedSummaryDto,
  NewContestBody,
} from './moderation.dto.js';
import {
  ENDINGS,
  type EndingView,
  GetContestEnding,
  GetModeratedContest,
  ListModeratedContests,
  type ModeratedContestView,
  type ModeratedSummaryView,
} from './moderation.queries.js';

const MAX_CONTESTS = 1_000;
const DEFAULT_CONTESTS = 100;

@Moderation('contests')
export class ContestsModerationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly moderation: ContestModeration,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the contests that the account may run, drafts too' })
  @ApiQuery({ name: 'q', required: false, description: 'Part of name, short name, id or city' })
  @ApiQuery({
    name: 'state',
    required: false,
    enum: CONTEST_STAGES,
    description: 'Only contests of this state; when left out, all but deleted ones',
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_CONTESTS, default: DEFAULT_CONTESTS },
  })
  @ApiQuery({ name: 'after', required: false, description: 'Continues after it; see the header Link' })
  @ApiResponse({
    status: 200,
    type: ModeratedSummaryDto,
    isArray: true,
    description: 'Newest start date first',
    headers: {
      'X-Total-Count': { description: 'Contests in the whole list', schema: { type: 'integer' } },
      Link: { description: 'URL of the next part, rel="next"', schema: { type: 'string' } },
    },
  })
  @Problems(400, 401, 403, 404, 503)
  async list(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Http() { request, reply }: HttpExchange,
  ): Promise<readonly ModeratedSummaryView[]> {
    const account = await this.signedIn.of(request, spaceId);
    const { filter, page } = readList(query);
    const only = account.role === 'admin' ? null : account.contests;
    const list = await this.queries.execute(new ListModeratedContests({ spaceId, only, ...filter }, page));
    reply.header('X-Total-Count', String(list.total));
    if (list.next !== null) reply.header('Link', linkToNext(request.url, list.next));
    return list.items;
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Create a contest as a draft (admins)' })
  @ApiBody({ type: NewContestBody, description: 'competitionId, name and startDate are required' })
  @ApiResponse({ ...changedContest, status: 201 })
  @Problems(400, 401, 403, 404, 409, 413, 415, 503)
  async create(@SpaceId() spaceId: string, @Http() http: HttpExchange): Promise<ModeratedContestView> {
    const { request, reply } = http;
    const account = await this.signedIn.admin(request, spaceId);
    const { competitionId, details, rounds } = readNewContest(request.body);
    const contest = { spaceId, competitionId };
    const context = contextOf(account, request);
    const { position } = await this.commands.execute(new CreateContest(contest, details, rounds, context));
    return this.readYourWrites.waitUntilCreated(position, reply, () =>
      this.queries.execute(new GetModeratedContest(contest)),
    );
  }

  @Get(':competitionId')
  @ReadsContest('Get a contest with the state of its rounds', {
    type: ModeratedContestDto,
    description: 'The contest, also a draft or a deleted one',
  })
  get(@AtContest() at: ContestExchange): Promise<ModeratedContestView> {
    return this.moderation.query(at, (contest) => new GetModeratedContest(contest));
  }

  @Patch(':competitionId')
  @ApiBody({ type: ContestChangeBody, description: 'Missing fields stay unchanged' })
  @ChangesContest('Change the details of a contest')
  edit(@AtContest() at: ContestExchange): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => {
      const change = readDetailsChange(at.request.body);
      return new EditContest(contest, change, context);
    });
  }

  @Delete(':competitionId')
  @ChangesContest('Delete a contest: it is closed, its keys end, and its results leave all lists')
  remove(@AtContest() at: ContestExchange): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => new EndContest(contest, 'delete', context));
  }

  @Get(':competitionId/ending')
  @ReadsContest('Say what finishing or deleting a contest would end', {
    type: EndingDto,
    description: 'As things are now',
  })
  @ApiQuery({ name: 'ending', required: false, enum: ENDINGS, schema: { default: 'finish' } })
  ending(@AtContest() at: ContestExchange, @Query() query: Fields): Promise<EndingView> {
    return this.moderation.query(at, (contest) => {
      const fields = new FieldReader(query);
      const ending = fields.oneOf('ending', ENDINGS, 'finish');
      fields.check();
      return new GetContestEnding(contest, ending);
    });
  }

  @Post(':competitionId/announce')
  @ChangesContest('Make a draft public')
  announce(@AtContest() at: ContestExchange): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => new AnnounceContest(contest, context));
  }

  @Post(':competitionId/finish')
  @ChangesContest('Finish a contest: every round is closed, every key ends for good, results stay')
  finish(@AtContest() at: ContestExchange): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => new EndContest(contest, 'finish', context));
  }

  @Post(':competitionId/reopen')
  @ChangesContest('Make a finished contest ongoing again; its keys stay ended')
  reopen(@AtContest() at: ContestExchange): Promise<ModeratedContestView> {
    return this.moderation.change(at, (contest, context) => new ReopenContest(contest, context));
  }
}

const readList = (query: Fields) => {
  // A form sends an empty search field too: it means no search.
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const fields = new FieldReader(given);
  const search = fields.text('q', 'what to look for');
  const state = fields.oneOf<ContestStage | ''>('state', CONTEST_STAGES, '');
  const limit = fields.integer('limit', { from: 1, to: MAX_CONTESTS }, DEFAULT_CONTESTS);
  const after = fields.text('after', 'the id of a contest');
  fields.check();
  return { filter: { search, state: state === '' ? null : state }, page: { limit, after } };
};
