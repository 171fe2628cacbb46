/**
 * Queries and commands for the moderators of a contest. The account is checked before the query or command runs. A
 * reply to a command waits until reads show its effect, at most 2 s.
 */
import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Command, type Query, QueryBus } from '@nestjs/cqrs';
import { AccessControl, contextOf } from '../accounts/access-control.js';
import type { ContestRef } from '../domain/references.js';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import type { Receipt } from '../foundation/aggregates/outcome.js';
import type { HttpExchange } from '../http/message/http-exchange.js';
import { VisibleCommands } from '../http/reads/visible-commands.js';
import { contestOf } from './contest-paths.js';

/** A request with its reply, and the contest that its path names. */
export interface ContestExchange extends HttpExchange {
  readonly contest: ContestRef;
}

/** Makes the command of a request, after the account is checked. */
export type MakeCommand<R extends Receipt = Receipt> = (
  contest: ContestRef,
  context: CommandContext,
) => Command<R>;

/** `@AtContest() at: ContestExchange` */
export const AtContest = createParamDecorator((_: unknown, context: ExecutionContext): ContestExchange => {
  const http = context.switchToHttp();
  return { contest: contestOf(context), request: http.getRequest(), reply: http.getResponse() };
});

@Injectable()
export class ContestAccess {
  constructor(
    private readonly commands: VisibleCommands,
    private readonly queries: QueryBus,
    private readonly signedIn: AccessControl,
  ) {}

  /** Throws RejectedError when the account may not run the contest, and what the query throws. */
  async query<T>({ contest, request }: ContestExchange, make: (contest: ContestRef) => Query<T>): Promise<T> {
    await this.signedIn.moderatorOf(request, contest);
    return this.queries.execute(make(contest));
  }

  /** Throws RejectedError when the account may not run the contest, and what `make` or the command throws. */
  async execute<R extends Receipt>(
    { contest, request, reply }: ContestExchange,
    make: MakeCommand<R>,
  ): Promise<R> {
    const account = await this.signedIn.moderatorOf(request, contest);
    return this.commands.execute(make(contest, contextOf(account, request)), reply);
  }

  /** Executes a command as `execute` does, then answers with a query. */
  async answer<T>(
    at: ContestExchange,
    make: MakeCommand,
    shown: (contest: ContestRef) => Query<T>,
  ): Promise<T> {
    await this.execute(at, make);
    return this.queries.execute(shown(at.contest));
  }
}
