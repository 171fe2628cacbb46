/** Adds sources. */
import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import {
  BUILT_IN_SOURCES,
  isSourceName,
  MAX_OWN_SOURCES,
  SOURCE_NAMES,
} from '../../foundation/log-store/sources.js';
import { AddToLogsAll } from '../endpoints/endpoint.commands.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { LOGS_ALL_ID } from '../endpoints/well-known.js';
import { RESERVED } from '../sql/parse/keywords.js';
import { type CreatedSource, CreateSource } from './source.commands.js';
import { SourceList } from './source.queries.handlers.js';

@CommandHandler(CreateSource)
export class CreateSourceHandler implements ICommandHandler<CreateSource> {
  constructor(
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources' | 'addSource'>,
    private readonly endpoints: EndpointNames,
    private readonly list: SourceList,
    private readonly commands: CommandBus,
  ) {}

  async execute({ name, inLogsAll, context }: CreateSource): Promise<CreatedSource> {
    if (!isSourceName(name) || RESERVED.has(name))
      throw refused('source', `name must be ${SOURCE_NAMES}, and no reserved word of SQL`);
    const before = await this.store.sources();
    const isNew = !before.includes(name);
    if (isNew && before.length - BUILT_IN_SOURCES.length >= MAX_OWN_SOURCES)
      throw refused('count', `name is one too many: an installation adds at most ${MAX_OWN_SOURCES} sources`);
    if (inLogsAll) await this.endpoints.find(LOGS_ALL_ID, { fresh: true });
    if (isNew) await this.store.addSource(name);
    const { position } = inLogsAll
      ? await this.commands.execute(new AddToLogsAll(name, context))
      : { position: 0 };
    const source = (await this.list.all()).find((one) => one.name === name);
    if (source === undefined) throw new Error(`source ${name} was added and is not there`);
    return { source, isNew, position };
  }
}

const refused = (rule: string, message: string): RejectedError =>
  new RejectedError(invalid([{ field: 'name', rule, message }]));
