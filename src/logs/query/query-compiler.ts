/**
 * Compiles a query in SQL or LQL for the log store, with the fields that its caller may know. Compiled queries are cached
 * until those fields change, so a stored query is not compiled again with every call.
 */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { queryOfLql } from '../lql/lql.js';
import type { LqlPart } from '../lql/lql-part.js';
import type { SavedTexts } from '../lql/saved-filters.js';
import { type ComparedProject, comparedProject } from '../sql/compared-project.js';
import {
  type CompiledQuery,
  type ConsumerQuery,
  compile,
  type StoredQuery,
  storedTables,
} from '../sql/compile.js';

export type ConsumerText = { readonly text: string } & (
  | { readonly language: 'sql' }
  /** `saved`: the filters that it names. `part`: of what the filter finds; missing: the result that the text asks for. */
  | { readonly language: 'lql'; readonly part?: LqlPart; readonly saved?: SavedTexts }
);

export interface QuerySource {
  readonly stored: StoredQuery;
  /** The client's own query; null runs the stored one. */
  readonly consumer: ConsumerText | null;
  /** The project that the token is tied to; null: none. */
  readonly onlyProject: string | null;
  /** The parameters of the call, as far as they are known. */
  readonly given: Readonly<Record<string, unknown>>;
}

const MAX_PLANS = 1_000;

@Injectable()
export class QueryCompiler {
  readonly #plans = new LRUCache<string, CompiledQuery>({ max: MAX_PLANS });
  /** What each stored query compares its project with. */
  readonly #compared = new LRUCache<string, { readonly project: ComparedProject | null }>({ max: MAX_PLANS });

  constructor(@Inject(LOG_STORE) private readonly store: LogStore) {}

  /** Throws QueryProblem. */
  async compile(source: QuerySource): Promise<CompiledQuery> {
    const { stored, consumer, onlyProject } = source;
    const catalogue = await this.#catalogue(source);
    const key = JSON.stringify([catalogue.version, stored, consumer, onlyProject]);
    const known = this.#plans.get(key);
    if (known) return known;
    const query = consumer === null ? null : await parsed(stored, consumer);
    const compiled = compile({ stored, consumer: query, onlyProject, catalogue });
    for (const { candidates, atLeast, refusal } of compiled.doubtful) {
      const has = await this.store.projectWith(candidates, atLeast);
      if (has !== null) throw refusal(has);
    }
    this.#plans.set(key, compiled);
    return compiled;
  }

  /**
   * Returns the fields of the token's project; of a token that is not tied, those of the one project that the stored query
   * compares with, else those of all.
   */
  #catalogue({ stored, consumer, onlyProject, given }: QuerySource): Promise<FieldCatalogue> {
    if (onlyProject !== null) return this.store.catalogue(onlyProject);
    const compared = consumer === null || stored.sandboxed ? this.#comparedIn(stored) : null;
    if (compared === null) return this.store.catalogue(null);
    if ('text' in compared) return this.store.catalogue(compared.text);
    const value = Object.hasOwn(given, compared.parameter) ? given[compared.parameter] : undefined;
    return this.store.catalogue(value === undefined || value === null ? null : String(value));
  }

  #comparedIn(stored: StoredQuery): ComparedProject | null {
    const key = JSON.stringify(stored);
    const known = this.#compared.get(key) ?? { project: comparedProject(stored) };
    this.#compared.set(key, known);
    return known.project;
  }
}

const parsed = async (stored: StoredQuery, consumer: ConsumerText): Promise<ConsumerQuery> => {
  if (consumer.language === 'sql') return consumer;
  const { language, text, part, saved } = consumer;
  const { reads: defaultTable, ...tables } = storedTables(stored);
  return { language, text, query: await queryOfLql(text, { ...tables, defaultTable }, part, saved) };
};
