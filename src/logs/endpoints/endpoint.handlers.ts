/**
 * Creating, changing and removing saved endpoints. A name is claimed before the endpoint uses it and released afterwards,
 * so two endpoints never have the same name. A crash can leave an unused claim behind. The next claim of that name
 * takes it over (src/logs/endpoints/endpoint-names.ts).
 */

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { invalid, RejectedError } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import {
  AddToLogsAll,
  CreateEndpoint,
  EditEndpoint,
  RemoveEndpoint,
  RestoreEndpoint,
  type SavedEndpoint,
  SeedEndpoints,
} from './endpoint.commands.js';
import { type EndpointCommand, endpointAggregate } from './endpoint.decider.js';
import { configOf, type EndpointConfig } from './endpoint.events.js';
import { ListEndpoints, ListEndpointVersions } from './endpoint.queries.js';
import { EndpointNames } from './endpoint-names.js';
import { errorsIn } from './endpoint-rules.js';
import { endpointView } from './endpoint-view.js';
import { withSource } from './stored/logs-all.js';
import { StoredQueries } from './stored-queries.js';
import { LOGS_ALL_ID, WELL_KNOWN_ENDPOINTS } from './well-known.js';

@Injectable()
class EndpointHandler {
  constructor(
    @Inject(AGGREGATES) protected readonly aggregates: AggregateRuntime,
    protected readonly names: EndpointNames,
    private readonly stored: StoredQueries,
    private readonly queries: QueryBus,
  ) {}

  /** Throws RejectedError `invalid-request`, QueryProblem. */
  protected async requireValid(config: EndpointConfig): Promise<void> {
    const errors = errorsIn(config);
    if (errors.length > 0) throw new RejectedError(invalid(errors));
    await this.stored.check(config);
  }

  /** Throws RejectedError `endpoint-name-taken` for the name of a source: queries that name it read the source. */
  protected async requireNoSource(name: string): Promise<void> {
    const source = await this.stored.sourceOf(name);
    if (source === null) return;
    const detail = `an endpoint ${name} would be hidden by the source ${source} from queries that read it; give it another name`;
    throw new RejectedError({ code: 'endpoint-name-taken', detail });
  }

  /** Throws RejectedError `endpoint-in-use` when others read the endpoint by this name. */
  protected async requireUnread(name: string): Promise<void> {
    const readers = await this.stored.readersOf(name, await this.queries.execute(new ListEndpoints()));
    if (readers.length > 0)
      throw new RejectedError({
        code: 'endpoint-in-use',
        detail: `${readers.map((reader) => reader.name).join(', ')} ${readers.length === 1 ? 'reads' : 'read'} ${name} as a table; change them first`,
      });
  }

  protected async save(
    endpointId: string,
    command: EndpointCommand,
    context: CommandContext,
  ): Promise<SavedEndpoint> {
    const outcome = accepted(await this.aggregates.execute(endpointAggregate, endpointId, command, context));
    const { version, config } = outcome.state;
    if (config === null)
      throw new Error(`${command.type} left endpoint ${endpointId} without a configuration`);
    return { endpoint: endpointView(endpointId, version, config), position: outcome.position };
  }
}

@CommandHandler(CreateEndpoint)
export class CreateEndpointHandler extends EndpointHandler implements ICommandHandler<CreateEndpoint> {
  async execute({ config, context }: CreateEndpoint): Promise<SavedEndpoint> {
    await this.requireValid(config);
    await this.requireNoSource(config.name);
    const endpointId = randomUUID();
    await this.names.claim(config.name, endpointId, context);
    const command = { type: 'CreateEndpoint', config } as const;
    return this.save(endpointId, command, context);
  }
}

@CommandHandler(EditEndpoint)
export class EditEndpointHandler extends EndpointHandler implements ICommandHandler<EditEndpoint> {
  async execute({ idOrName, change, context }: EditEndpoint): Promise<SavedEndpoint> {
    const { endpointId, config: before, events } = await this.names.find(idOrName, { fresh: true });
    const config = { ...before, ...change };
    await this.requireValid(config);
    const renamed = config.name !== before.name;
    if (renamed) {
      await this.requireNoSource(config.name);
      await this.requireUnread(before.name);
      await this.names.claim(config.name, endpointId, context);
    }
    const command = { type: 'ChangeEndpoint', config, basedOn: events } as const;
    const saved = await this.save(endpointId, command, context);
    if (renamed) await this.names.release(before.name, endpointId, context);
    return saved;
  }
}

@CommandHandler(AddToLogsAll)
export class AddToLogsAllHandler extends EndpointHandler implements ICommandHandler<AddToLogsAll> {
  async execute({ source, context }: AddToLogsAll): Promise<SavedEndpoint> {
    const { endpointId, config: before, events } = await this.names.find(LOGS_ALL_ID, { fresh: true });
    const config = { ...before, query: withSource(before.query, source) };
    await this.requireValid(config);
    return this.save(endpointId, { type: 'ChangeEndpoint', config, basedOn: events }, context);
  }
}

@CommandHandler(RestoreEndpoint)
export class RestoreEndpointHandler implements ICommandHandler<RestoreEndpoint> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({ idOrName, version, context }: RestoreEndpoint): Promise<SavedEndpoint> {
    const versions = await this.queries.execute(new ListEndpointVersions(idOrName));
    const wanted = versions.find((one) => one.version === version);
    if (!wanted) {
      const detail = `${idOrName} has no version ${version}; its newest is ${versions[0]?.version}`;
      throw new RejectedError({ code: 'endpoint-not-found', detail });
    }
    return this.commands.execute(new EditEndpoint(wanted.id, configOf(wanted), context));
  }
}

@CommandHandler(RemoveEndpoint)
export class RemoveEndpointHandler extends EndpointHandler implements ICommandHandler<RemoveEndpoint> {
  async execute({ idOrName, context }: RemoveEndpoint): Promise<Receipt> {
    const { endpointId, config } = await this.names.find(idOrName, { fresh: true });
    await this.requireUnread(config.name);
    const command = { type: 'RemoveEndpoint' } as const;
    const outcome = await this.aggregates.execute(endpointAggregate, endpointId, command, context);
    const { position } = accepted(outcome);
    await this.names.release(config.name, endpointId, context);
    return { position };
  }
}

@CommandHandler(SeedEndpoints)
export class SeedEndpointsHandler extends EndpointHandler implements ICommandHandler<SeedEndpoints> {
  /** Several nodes may run this at once and still create each endpoint once, because the ids are fixed. */
  async execute({ context }: SeedEndpoints): Promise<void> {
    for (const { id, config } of WELL_KNOWN_ENDPOINTS) {
      const { state } = await this.aggregates.load(endpointAggregate, id, { fresh: true });
      if (state.phase !== 'none') continue;
      await this.names.claim(config.name, id, context);
      const command = { type: 'SeedEndpoint', config } as const;
      accepted(await this.aggregates.execute(endpointAggregate, id, command, context));
    }
  }
}

export const endpointCommandHandlers = [
  CreateEndpointHandler,
  EditEndpointHandler,
  AddToLogsAllHandler,
  RestoreEndpointHandler,
  RemoveEndpointHandler,
  SeedEndpointsHandler,
];
