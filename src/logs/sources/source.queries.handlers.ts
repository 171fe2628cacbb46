/** Lists sources. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import {
  isBuiltIn,
  type LogSource,
  projectMatchOf,
  READY_SOURCES,
} from '../../foundation/log-store/sources.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { LOGS_ALL_ID } from '../endpoints/well-known.js';
import { storedTables } from '../sql/compile.js';
import { ListSources, type SourceView } from './source.queries.js';

@QueryHandler(ListSources)
export class ListSourcesHandler implements IQueryHandler<ListSources> {
  constructor(
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources'>,
    private readonly endpoints: EndpointNames,
  ) {}

  async execute(): Promise<readonly SourceView[]> {
    const sources = await this.store.sources();
    const inLogsAll = await this.#tablesOfLogsAll();
    const ready = Object.keys(READY_SOURCES).filter((name) => !sources.includes(name));
    return [...sources, ...ready].map((name) => ({
      name,
      state: ready.includes(name) ? 'ready' : isBuiltIn(name) ? 'built-in' : 'own',
      projectField: projectMatchOf(name),
      inLogsAll: inLogsAll.has(name),
      description: DESCRIPTIONS.get(name) ?? null,
    }));
  }

  /** In lower case. None when `logs.all` was removed. */
  async #tablesOfLogsAll(): Promise<ReadonlySet<string>> {
    const endpoint = await this.endpoints.current(LOGS_ALL_ID);
    if (endpoint === null) return new Set();
    const { query, sandboxing } = endpoint.config;
    const { tables } = storedTables({ text: query, sandboxed: sandboxing });
    return new Set(tables.map((name) => name.toLowerCase()));
  }
}

const DESCRIPTIONS: ReadonlyMap<LogSource, string> = new Map(Object.entries(READY_SOURCES));
