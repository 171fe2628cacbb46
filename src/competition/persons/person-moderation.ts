/** What the moderation of persons and that of merges share: whom a path names, who may, and the person as it is afterwards. */
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import { RejectedError } from '../../domain/rejections.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import { ReadYourWrites } from '../../http/reads/read-your-writes.js';
import type { PersonReceipt } from './person.commands.js';
import { GetPerson, type PersonDetailView } from './person.queries.js';
import { PersonDetailDto } from './person-moderation.dto.js';

/** The segment of the space may be left out. */
export interface InSpace {
  readonly spaceId?: string;
}

export interface OfPerson extends InSpace {
  readonly personId: string;
}

export const personParam = ApiParam({ name: 'personId', schema: { type: 'integer' }, example: 7 });
export const changedPerson = {
  status: 200,
  type: PersonDetailDto,
  description: 'As the person is now',
} as const;

/** Beyond all ids. */
export const MAX_ID = 999_999_999;

@Injectable()
export class PersonModeration {
  constructor(
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

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

  async shown({ personId, position }: PersonReceipt, reply: FastifyReply): Promise<PersonDetailView> {
    await this.readYourWrites.waitUntilVisible(position, reply);
    return this.queries.execute(new GetPerson(personId));
  }
}

const notFound = (personId: string): never => {
  throw new RejectedError({ code: 'person-not-found', detail: `There is no person ${personId}.` });
};
