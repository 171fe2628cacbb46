/** Adds sources. */
import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import {
  BUILT_IN_SOURCES,
  isSourceName,
  MAX_OWN_SOURCES,
  SOURCE_NAMES,
} from '../../foundation/log-store/sources.js';
import { AddToLogsAll } from '../endpoints/endpoint.commands.js';
import { ListEndpoints } from '../endpoints/endpoint.queries.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { LOGS_ALL_ID } from '../endpoints/well-known.js';
import { RESERVED } from '../sql/parse/keywords.js';
import { type CreatedSource, CreateSource } from './source.commands.js';
import { ListSources } from './source.queries.js';

@CommandHandler(CreateSource)
export class CreateSourceHandler implements ICommandHandler<CreateSource> {
  constructor(
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources' | 'addSource'>,
    private readonly endpoints: EndpointNames,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({ name, inLogsAll, context }: CreateSource): Promise<CreatedSource> {
    if (!isSourceName(name) || RESERVED.has(name))
      throw refused('source', `name must be ${SOURCE_NAMES}, and no reserved word of SQL`);
    const before = await this.store.sources();
    const isNew = !before.includes(name);
    if (isNew && before.length - BUILT_IN_SOURCES.length >= MAX_OWN_SOURCES)
      throw refused('count', `name is one too many: an installation adds at most ${MAX_OWN_SOURCES} sources`);
    if (isNew) await this.requireNoEndpoint(name);
    if (inLogsAll) await this.endpoints.find(LOGS_ALL_ID, { fresh: true });
    if (isNew) await this.store.addSource(name);
    const { position } = inLogsAll
      ? await this.commands.execute(new AddToLogsAll(name, context))
      : { position: 0 };
    const source = (await this.queries.execute(new ListSources())).find((one) => one.name === name);
    if (source === undefined) throw new Error(`source ${name} was added and is not there`);
    return { source, isNew, position };
  }

  /** Throws RejectedError `source-name-taken`: queries that read the endpoint would read the source instead. */
  private async requireNoEndpoint(name: string): Promise<void> {
    const all = await this.queries.execute(new ListEndpoints());
    const other = all.find((endpoint) => endpoint.name.toLowerCase() === name)?.name;
    // The list may not have the newest yet.
    const hidden = other ?? (await this.endpoints.lookUp(name, { fresh: true }))?.config.name;
    if (hidden === undefined) return;
    const detail = `a source ${name} would hide the endpoint ${hidden} from queries that read it; rename the endpoint first`;
    throw new RejectedError({ code: 'source-name-taken', detail });
  }
}

const refused = (rule: string, message: string): RejectedError =>
  new RejectedError(invalid([{ field: 'name', rule, message }]));
