/**
 * Compiled queries, kept: callers send the same ones again and again, with other values. A plan belongs to the texts it
 * was made from, to the project it is confined to, and to what was known of the fields then.
 */
import { LRUCache } from 'lru-cache';
import { type CompiledQuery, type CompileRequest, compile } from './compile.js';

const MOST_PLANS = 1_000;
/** Characters of the kept plans and of what they were made from. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class QueryPlans {
  private readonly plans = new LRUCache<string, CompiledQuery>({ max: MOST_PLANS, maxSize: MOST_CHARACTERS });

  /** As `compile` gives it. Throws QueryProblem, which is not kept. */
  plan(request: CompileRequest): CompiledQuery {
    const key = keyOf(request);
    const known = this.plans.get(key);
    if (known !== undefined) return known;
    const made = compile(request);
    this.plans.set(key, made, { size: key.length + made.query.sql.length });
    return made;
  }

  get size(): number {
    return this.plans.size;
  }
}

const keyOf = ({ stored, consumer, onlyProject, catalogue }: CompileRequest): string =>
  JSON.stringify([
    stored.text,
    stored.sandboxed,
    consumer === null ? null : [consumer.language, consumer.text],
    onlyProject,
    catalogue.version,
  ]);
