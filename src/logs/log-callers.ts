/**
 * Decides who may use the log endpoints: a program with an access token, or a signed-in account that reads logs.
 * A token may do what its scopes say. An account sees all projects, and manages endpoints and tokens.
 */

import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessControl, contextOf } from '../accounts/access-control.js';
import { sessionIdOf } from '../accounts/session-cookie.js';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import { keyOf } from '../http/credentials/request-key.js';
import { type Owner, ownerIn } from './owner.js';
import { tenantOf } from './tokens/tenant.js';
import type { TokenHolder } from './tokens/token.queries.js';
import { requireScope, TokenCheck } from './tokens/token-check.js';

/** A request with both a token and a session is judged by its token. */
const isSignedIn = (request: FastifyRequest): boolean =>
  keyOf(request.headers) === null && sessionIdOf(request) !== null;

/** An account as a holder: it sees all projects. */
export const accountHolder = (accountId: string): TokenHolder => ({
  tokenId: accountId,
  scopes: ['admin'],
  project: null,
});

const tokenContext = ({ tokenId }: TokenHolder, { id }: FastifyRequest): CommandContext => ({
  actor: 'operator',
  keyId: tokenId,
  correlationId: id,
});

@Injectable()
export class LogCallers {
  constructor(
    private readonly tokens: TokenCheck,
    private readonly signedIn: AccessControl,
  ) {}

  /**
   * Returns who calls an endpoint. An account is returned as a holder of the scope `admin`.
   * Throws what TokenCheck and AccessControl throw.
   */
  async holder(request: FastifyRequest): Promise<TokenHolder> {
    if (!isSignedIn(request)) return this.tokens.holder(request);
    const { accountId } = await this.signedIn.logReader(request);
    return accountHolder(accountId);
  }

  /** Returns who manages endpoints: a token with the scope `admin`, or an account that reads logs. Throws as `holder`. */
  async manager(request: FastifyRequest): Promise<CommandContext> {
    if (isSignedIn(request)) return contextOf(await this.signedIn.logReader(request), request);
    return tokenContext(await this.tokens.allowed(request, 'admin'), request);
  }

  /** As `manager`; also a token with the scope `query` that is tied to a project, for what is of that project. */
  async managerOfProject(request: FastifyRequest): Promise<CommandContext> {
    if (isSignedIn(request)) return contextOf(await this.signedIn.logReader(request), request);
    const holder = await this.tokens.holder(request);
    requireScope(holder, holder.project === null ? 'admin' : 'query');
    return tokenContext(holder, request);
  }

  /**
   * Returns whose running queries the caller sees: those of the tenant; null: all, for an account or an admin token of no project.
   * Throws RejectedError `token-scope` without the scope `query`, and as `holder`.
   */
  async visibleTenant(request: FastifyRequest): Promise<string | null> {
    const holder = await this.holder(request);
    requireScope(holder, 'query');
    return holder.scopes.includes('admin') && holder.project === null ? null : tenantOf(holder);
  }
}

// --- parameters of a controller's method -----------------------------------------------------------------------------

const sent = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<FastifyRequest>(),
);

@Injectable()
class ManagerPipe implements PipeTransform<FastifyRequest, Promise<CommandContext>> {
  constructor(private readonly callers: LogCallers) {}

  transform(request: FastifyRequest): Promise<CommandContext> {
    return this.callers.manager(request);
  }
}

/** `@Manager() context: CommandContext` of `LogCallers.manager`, before the method runs. */
export const Manager = (): ParameterDecorator => sent(ManagerPipe);

@Injectable()
class OwnerPipe implements PipeTransform<FastifyRequest, Promise<Owner>> {
  constructor(private readonly callers: LogCallers) {}

  async transform(request: FastifyRequest): Promise<Owner> {
    return ownerIn(await this.callers.managerOfProject(request));
  }
}

/** `@Caller() owner: Owner`: what `LogCallers.managerOfProject` lets own an alert or a drain, before the method runs. */
export const Caller = (): ParameterDecorator => sent(OwnerPipe);

@Injectable()
class TenantPipe implements PipeTransform<FastifyRequest, Promise<string | null>> {
  constructor(private readonly callers: LogCallers) {}

  transform(request: FastifyRequest): Promise<string | null> {
    return this.callers.visibleTenant(request);
  }
}

/** `@VisibleTenant() tenant: string | null` of `LogCallers.visibleTenant`, before the method runs. */
export const VisibleTenant = (): ParameterDecorator => sent(TenantPipe);
