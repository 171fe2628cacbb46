/**
 * The stored query of an endpoint, with the endpoints that it reads as tables. They are found by their names at each call, so
 * a change of one shows in all that read it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { isBuiltIn, type LogSource } from '../../foundation/log-store/sources.js';
import { compile, type StoredQuery } from '../sql/compile.js';
import { QueryProblem } from '../sql/query-problem.js';
import { selectsWithTables } from '../sql/read-tables.js';
import type { EndpointConfig } from './endpoint.events.js';
import { EndpointNames, type LiveEndpoint } from './endpoint-names.js';
import { isEndpointName } from './endpoint-rules.js';

export type QueryConfig = Pick<EndpointConfig, 'query' | 'sandboxing' | 'redactPii'> & {
  /** Missing: a query that is not stored yet. */
  readonly name?: string;
};

export interface EndpointQuery {
  readonly stored: StoredQuery;
  /** The setting of the endpoint, or of one that it reads. */
  readonly redactPii: boolean;
  /** The endpoints that it reads, also through others. */
  readonly reads: readonly EndpointVersion[];
}

export interface EndpointVersion {
  readonly endpointId: string;
  readonly version: number;
}

/** A search for the endpoints that a query reads. */
interface Search {
  /** The endpoints that lead to where it is. */
  readonly path: readonly string[];
  readonly found: Map<string, LiveEndpoint>;
  readonly sources: ReadonlySet<LogSource>;
}

/** Limit of the endpoints that one reads, also through others. */
const MAX_READ = 32;
const MAX_TEXTS = 1_000;

@Injectable()
export class StoredQueries {
  /** The tables in each text, without the built-in sources. */
  readonly #tables = new LRUCache<string, readonly string[]>({ max: MAX_TEXTS });

  constructor(
    private readonly names: EndpointNames,
    @Inject(LOG_STORE) private readonly store: LogStore,
  ) {}

  /** Throws QueryProblem when the query has no tree, or endpoints read each other in a circle. */
  async of({ name, query, sandboxing, redactPii }: QueryConfig): Promise<EndpointQuery> {
    const stored: StoredQuery = { text: query, sandboxed: sandboxing };
    const found = new Map<string, LiveEndpoint>();
    if (this.#tablesIn(query).length > 0) {
      const sources = new Set(await this.store.sources());
      await this.#collect(query, { path: name === undefined ? [] : [name], found, sources });
    }
    if (found.size === 0) return { stored, redactPii, reads: [] };
    const read = [...found.values()];
    return {
      stored: {
        ...stored,
        endpoints: [...found].map(([name, { config }]) => ({ name, text: config.query })),
      },
      redactPii: redactPii || read.some(({ config }) => config.redactPii),
      reads: read.map(({ endpointId, version }) => ({ endpointId, version })),
    };
  }

  /** Checks a query before it is stored, so that its author learns of an error and not the first client. Throws QueryProblem. */
  async check(config: QueryConfig): Promise<void> {
    const { stored } = await this.of(config);
    compile({ stored, consumer: null, onlyProject: null, catalogue: await this.store.catalogue(null) });
  }

  /** Returns those whose queries read the endpoint of this name: none where a source has the name, too. */
  async readersOf<Reader extends Pick<EndpointConfig, 'query'>>(
    name: string,
    all: readonly Reader[],
  ): Promise<readonly Reader[]> {
    return (await this.sourceOf(name)) === null
      ? all.filter(({ query }) => this.#isReading(query, name))
      : [];
  }

  /** Returns the source that a query reads by this name, rather than an endpoint; null: there is none. */
  async sourceOf(name: string): Promise<LogSource | null> {
    const sources = await this.store.sources();
    return sources.find((source) => source === name.toLowerCase()) ?? null;
  }

  /** Adds each endpoint after those that it reads. */
  async #collect(query: string, search: Search): Promise<void> {
    const { path, found, sources } = search;
    for (const name of this.#tablesIn(query)) {
      if (found.has(name) || sources.has(name.toLowerCase())) continue;
      if (path.includes(name))
        throw refusal(`endpoints read each other in a circle: ${[...path, name].join(', ')}`);
      // By its id it would not count as read, and could be removed. Without one, the compiler says that there is no such table.
      const endpoint = isEndpointName(name) ? await this.names.lookUp(name) : null;
      if (endpoint === null) continue;
      await this.#collect(endpoint.config.query, { ...search, path: [...path, name] });
      found.set(name, endpoint);
      if (found.size > MAX_READ)
        throw refusal(`an endpoint reads at most ${MAX_READ} others, also through others`);
    }
  }

  /** A query of older code that no longer parses reads nothing. */
  #isReading(query: string, name: string): boolean {
    try {
      return this.#tablesIn(query).includes(name);
    } catch (error) {
      if (error instanceof QueryProblem) return false;
      throw error;
    }
  }

  #tablesIn(query: string): readonly string[] {
    const known = this.#tables.get(query);
    if (known !== undefined) return known;
    const all = new Set(selectsWithTables(query).flatMap(({ tables }) => tables));
    const tables = [...all].filter((name) => !isBuiltIn(name.toLowerCase()));
    this.#tables.set(query, tables);
    return tables;
  }
}

const refusal = (message: string): QueryProblem => new QueryProblem('sql-refused', message, null);
