/**
 * Queries and commands of admins on one person over HTTP, shared by the controllers of persons and merges. It checks
 * the account and the person of the path. The reply is the person as it is after the command.
 */
import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type Type,
} from '@nestjs/common';
import { type Command, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import { RejectedError } from '../../domain/rejections.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { HttpExchange } from '../../http/message/http-exchange.js';
import { type InSpace, pathParams } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { VisibleCommands } from '../../http/reads/visible-commands.js';
import type { PersonReceipt } from './person.commands.js';
import { GetPerson, type PersonDetailView } from './person.queries.js';
import { PersonDetailDto } from './person-moderation.dto.js';

export interface OfPerson extends InSpace {
  readonly personId: string;
}

export const personParam = ApiParam({ name: 'personId', schema: { type: 'integer' }, example: 7 });
export const changedPerson = { type: PersonDetailDto, description: 'The person after the change' };

/** The documentation of an operation that answers with `PersonModeration.change`. */
export const ChangesPerson = (
  summary: string,
  { body, description = changedPerson.description }: { body?: Type; description?: string } = {},
): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOperation({ summary }),
    personParam,
    ...(body ? [ApiBody({ type: body })] : []),
    ApiResponse({ ...changedPerson, description, status: 200 }),
    Problems(400, 401, 403, 404, 422, 503),
  );

/** A request with its reply, and the parameters of its path. */
export interface PersonExchange extends HttpExchange {
  readonly params: OfPerson;
}

/** `@AtPerson() at: PersonExchange` */
export const AtPerson = createParamDecorator((_: unknown, context: ExecutionContext): PersonExchange => {
  const http = context.switchToHttp();
  return { params: pathParams(context), request: http.getRequest(), reply: http.getResponse() };
});

/** Greater than all ids. */
export const MAX_ID = 999_999_999;

@Injectable()
export class PersonModeration {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
  ) {}

  /** Executes the command of an admin on a person in the space. Throws RejectedError, and what the command throws. */
  async execute(
    at: PersonExchange,
    make: (personId: number, context: CommandContext) => Command<PersonReceipt>,
  ): Promise<PersonReceipt> {
    const { personId, context } = await this.changing(at);
    return this.commands.execute(make(personId, context), at.reply);
  }

  /** Executes a command as `execute` does, then answers with the person. */
  async change(...command: Parameters<PersonModeration['execute']>): Promise<PersonDetailView> {
    const { personId } = await this.execute(...command);
    return this.queries.execute(new GetPerson(personId));
  }

  /** Checks that the account is an admin of the space and that the space has the person. Throws RejectedError. */
  async changing({
    params,
    request,
  }: PersonExchange): Promise<{ readonly personId: number; readonly context: CommandContext }> {
    const account = await this.signedIn.admin(request, params.spaceId ?? DEFAULT_SPACE);
    await this.named(params);
    return { personId: Number(params.personId), context: contextOf(account, request) };
  }

  /** Follows merges. Throws RejectedError `person-not-found`, also for a person of another space. */
  async named({ spaceId = DEFAULT_SPACE, personId }: OfPerson): Promise<PersonDetailView> {
    if (!/^\d{1,15}$/.test(personId)) return notFound(personId);
    const person = await this.queries.execute(new GetPerson(Number(personId)));
    return person.spaceId === spaceId ? person : notFound(personId);
  }
}

const notFound = (personId: string): never => {
  throw new RejectedError({ code: 'person-not-found', detail: `There is no person ${personId}.` });
};
