/**
 * Compiles a query in SQL or LQL for the log store. Compiled queries are cached until the catalogue changes, so a stored
 * query is not compiled again with every call.
 */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { queryOfLql } from '../lql/lql.js';
import {
  type CompiledQuery,
  type ConsumerQuery,
  compile,
  type StoredQuery,
  storedTables,
} from '../sql/compile.js';

export interface ConsumerText {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

export interface QuerySource {
  readonly stored: StoredQuery;
  /** The client's own query; null runs the stored one. */
  readonly consumer: ConsumerText | null;
  /** The project that the token is tied to; null: none. */
  readonly onlyProject: string | null;
}

const MAX_PLANS = 1_000;

@Injectable()
export class QueryCompiler {
  readonly #plans = new LRUCache<string, CompiledQuery>({ max: MAX_PLANS });

  constructor(@Inject(LOG_STORE) private readonly store: LogStore) {}

  /** Throws QueryProblem. */
  async compile({ stored, consumer, onlyProject }: QuerySource): Promise<CompiledQuery> {
    const catalogue = this.store.catalogue();
    const key = JSON.stringify([catalogue.version, stored, consumer, onlyProject]);
    const known = this.#plans.get(key);
    if (known) return known;
    const query = consumer === null ? null : await parsed(stored, consumer);
    const compiled = compile({ stored, consumer: query, onlyProject, catalogue });
    this.#plans.set(key, compiled);
    return compiled;
  }
}

const parsed = async (stored: StoredQuery, { language, text }: ConsumerText): Promise<ConsumerQuery> => {
  if (language === 'sql') return { language, text };
  const { tables, reads } = storedTables(stored);
  return { language, text, query: await queryOfLql(text, { tables, defaultTable: reads }) };
};
