/**
 * The moderation of persons over HTTP, with the same commands as the command line. Moderators search persons and
 * register new ones for their contests. Only admins change a registered person. Merges have a controller of their
 * own.
 */
import { Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { isCountry } from '../../domain/regions.js';
import { readBody } from '../../http/body/body.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { linkToNext } from '../../http/message/paths.js';
import { SpaceId } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { Moderation } from '../../http/reads/moderation.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';
import { CorrectRegion, EditPerson, ErasePerson, MovePerson, RegisterPerson } from './person.commands.js';
import { PersonDto } from './person.dto.js';
import { GetPerson, type PersonDetailView, type PersonView, SearchPersons } from './person.queries.js';
import { MoveBody, NewPersonBody, PersonChangeBody, TimelineBody } from './person-moderation.dto.js';
import {
  AtPerson,
  ChangesPerson,
  changedPerson,
  MAX_ID,
  type PersonExchange,
  PersonModeration,
  personParam,
} from './person-moderation.js';

const MAX_FOUND = 200;
const DEFAULT_FOUND = 50;

@Moderation('persons')
export class PersonsModerationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly readYourWrites: ReadYourWrites,
    private readonly moderation: PersonModeration,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Find persons by name, localized name, association id or number' })
  @ApiQuery({
    name: 'search',
    required: false,
    description: 'A part of the name or association id, or the whole number; without it: all persons',
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_FOUND, default: DEFAULT_FOUND },
  })
  @ApiQuery({
    name: 'after',
    required: false,
    schema: { type: 'integer' },
    description: 'Continues after this id; the header Link has the URL',
  })
  @ApiResponse({
    status: 200,
    type: PersonDto,
    isArray: true,
    description: 'Sorted by name; a person who was searched by id comes first; without merged persons',
    headers: { Link: { description: 'URL of the next part, rel="next"', schema: { type: 'string' } } },
  })
  @Problems(400, 401, 403, 503)
  async search(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Http() { request, reply }: HttpExchange,
  ): Promise<readonly PersonView[]> {
    await this.signedIn.of(request, spaceId);
    const { search, ...fields } = query;
    const text = typeof search === 'string' ? search.trim() : '';
    const { items, next } = await this.queries.execute(new SearchPersons(spaceId, text, readPage(fields)));
    if (next !== null) reply.header('Link', linkToNext(request.url, String(next)));
    return items;
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Add a person to the space' })
  @ApiBody({ type: NewPersonBody })
  @ApiResponse({ ...changedPerson, status: 201 })
  @Problems(400, 401, 403, 404, 409, 413, 415, 503)
  async register(@SpaceId() spaceId: string, @Http() http: HttpExchange): Promise<PersonDetailView> {
    const { request, reply } = http;
    const account = await this.signedIn.of(request, spaceId);
    const { name, localizedName, assocId, regionCode } = readBody(request.body, NewPersonBody);
    const person = {
      spaceId,
      name,
      localizedName: localizedName || null,
      assocId: assocId || null,
      timeline: timelineFrom(regionCode),
    };
    const { personId, position } = await this.commands.execute(
      new RegisterPerson(person, contextOf(account, request)),
    );
    return this.readYourWrites.waitUntilCreated(position, reply, () =>
      this.queries.execute(new GetPerson(personId)),
    );
  }

  @Get(':personId')
  @ApiOperation({ summary: 'Get a person with the timeline of regions and merged ids' })
  @personParam
  @ApiResponse({ ...changedPerson, status: 200, description: 'The person; of a merged id who stayed' })
  @Problems(400, 401, 403, 404, 503)
  async get(
    @SpaceId() spaceId: string,
    @AtPerson() { params, request }: PersonExchange,
  ): Promise<PersonDetailView> {
    await this.signedIn.of(request, spaceId);
    return this.moderation.named(params);
  }

  @Patch(':personId')
  @ChangesPerson('Change name or association id: what is left out stays (admins)', { body: PersonChangeBody })
  @Problems(409)
  edit(@AtPerson() at: PersonExchange): Promise<PersonDetailView> {
    return this.moderation.change(at, (personId, context) => {
      const { name, localizedName, assocId } = readBody(at.request.body, PersonChangeBody);
      const change = {
        ...(name !== undefined && { name }),
        ...(localizedName !== undefined && { localizedName: localizedName || null }),
        ...(assocId !== undefined && { assocId: assocId || null }),
      };
      return new EditPerson(personId, change, context);
    });
  }

  @Post(':personId/moves')
  @ChangesPerson('From a day on the person represents another country; older results stay (admins)', {
    body: MoveBody,
  })
  move(@AtPerson() at: PersonExchange): Promise<PersonDetailView> {
    return this.moderation.change(at, (personId, context) => {
      const { from, regionCode } = readBody(at.request.body, MoveBody);
      return new MovePerson(personId, from, regionCode || null, context);
    });
  }

  @Put(':personId/timeline')
  @ChangesPerson('The regions were wrong: these hold, for old results as well (admins)', {
    body: TimelineBody,
  })
  correct(@AtPerson() at: PersonExchange): Promise<PersonDetailView> {
    return this.moderation.change(at, (personId, context) => {
      const { timeline } = readBody(at.request.body, TimelineBody);
      return new CorrectRegion(personId, timeline, context);
    });
  }

  @Delete(':personId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Erase name and association id for good; results stay under the id (admins)' })
  @personParam
  @ApiResponse({ status: 204, description: 'The profile is erased' })
  @Problems(400, 401, 403, 404, 422, 503)
  async erase(@AtPerson() at: PersonExchange): Promise<void> {
    await this.moderation.execute(at, (personId, context) => new ErasePerson(personId, context));
  }
}

/**
 * Returns the timeline of a new person: one country from the beginning, or none. The error names the body's field.
 */
const timelineFrom = (regionCode: string | null | undefined): readonly RegionPeriod[] => {
  if (!regionCode) return [];
  if (isCountry(regionCode)) return [{ from: null, regionCode }];
  const message = 'regionCode must be a country of ISO 3166-1 alpha-2, or null';
  throw invalidRequest([{ field: 'regionCode', rule: 'country', message }]);
};

const readPage = (query: Fields): { readonly limit: number; readonly after?: number } => {
  const fields = new FieldReader(query);
  const limit = fields.integer('limit', { from: 1, to: MAX_FOUND }, DEFAULT_FOUND);
  const after = fields.integer('after', { from: 0, to: MAX_ID }, 0);
  fields.check();
  return after === 0 ? { limit } : { limit, after };
};
