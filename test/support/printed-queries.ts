/** What the text of a query that an engine gets has to be like, whatever the engine. */
import type { CheckedQuery } from '../../src/foundation/log-store/checked-query.js';
import { PLATFORM_CATALOGUE } from '../../src/foundation/log-store/known-fields.js';
import { LOGS_ALL_QUERY } from '../../src/logs/endpoints/stored/logs-all.js';
import { compile } from '../../src/logs/sql/compile.js';

/** A query of a client through `logs.all`. */
export const checked = (text: string, onlyProject: string | null = null): CheckedQuery =>
  compile({
    stored: { text: LOGS_ALL_QUERY, sandboxed: true },
    consumer: { language: 'sql', text },
    onlyProject,
    catalogue: PLATFORM_CATALOGUE,
  }).query;

/** A stored query, which reads the sources themselves. */
export const checkedAlone = (text: string): CheckedQuery =>
  compile({
    stored: { text, sandboxed: false },
    consumer: null,
    onlyProject: null,
    catalogue: PLATFORM_CATALOGUE,
  }).query;

/** One with words of its author in each place that has some. */
export const WITH_NAMES =
  'with mine as (select t.id as secret_name from edge_logs as t) select x.secret_name as `a"b` from mine as x';

export const WITH_QUOTES = "select 'it\\'s' || ' -- \\' or 1=1 /*' as x";
