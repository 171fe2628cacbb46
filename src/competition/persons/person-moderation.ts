/** What the moderation of persons and that of merges share: whom a path names, who may, and the person as it is afterwards. */
import { applyDecorators, HttpCode, Injectable } from '@nestjs/common';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiParam, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import { RejectedError } from '../../domain/rejections.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { HttpExchange } from '../../http/message/http-exchange.js';
import type { InSpace } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import type { PersonReceipt } from './person.commands.js';
import { GetPerson, type PersonDetailView } from './person.queries.js';
import { PersonDetailDto } from './person-moderation.dto.js';

export interface OfPerson extends InSpace {
  readonly personId: string;
}

export const personParam = ApiParam({ name: 'personId', schema: { type: 'integer' }, example: 7 });
export const changedPerson = { type: PersonDetailDto, description: 'As the person is now' };

/** The documentation of what `PersonModeration.change` answers. */
export const ChangesPerson = ({ description = changedPerson.description } = {}): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    personParam,
    ApiResponse({ ...changedPerson, description, status: 200 }),
    Problems(400, 401, 403, 404, 422, 503),
  );

/** Beyond all ids. */
export const MAX_ID = 999_999_999;

@Injectable()
export class PersonModeration {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** For admins of the space, and a person in it. Throws RejectedError, and what reading or running the command throws. */
  async change(
    params: OfPerson,
    { request, reply }: HttpExchange,
    command: (personId: number, context: CommandContext) => Command<PersonReceipt>,
  ): Promise<PersonDetailView> {
    const { personId: named, context } = await this.changing(params, request);
    const { personId, position } = await this.commands.execute(command(named, context));
    await this.readYourWrites.waitUntilVisible(position, reply);
    return this.queries.execute(new GetPerson(personId));
  }

  /** For an admin of the space, and of a person in it. Throws RejectedError. */
  async changing(
    params: OfPerson,
    request: FastifyRequest,
  ): Promise<{ readonly personId: number; readonly context: CommandContext }> {
    const account = await this.signedIn.admin(request, params.spaceId ?? DEFAULT_SPACE);
    await this.named(params);
    return { personId: Number(params.personId), context: contextOf(account, request) };
  }

  /** Follows aliases. Throws RejectedError `person-not-found`, also of a person in another space. */
  async named({ spaceId = DEFAULT_SPACE, personId }: OfPerson): Promise<PersonDetailView> {
    if (!/^\d{1,15}$/.test(personId)) return notFound(personId);
    const person = await this.queries.execute(new GetPerson(Number(personId)));
    return person.spaceId === spaceId ? person : notFound(personId);
  }
}

const notFound = (personId: string): never => {
  throw new RejectedError({ code: 'person-not-found', detail: `There is no person ${personId}.` });
};
