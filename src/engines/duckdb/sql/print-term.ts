/** Prints the terms of a query tree in DuckDB's SQL. */
import { type EngineSql, integerLiteral, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import { orderSql, windowSql } from '../../../foundation/log-store/printing.js';
import type { AggregateName } from '../../../foundation/log-store/query-operations.js';
import type {
  Aggregate,
  JsonRead,
  QueryNode,
  ScalarType,
  Term,
} from '../../../foundation/log-store/query-tree.js';
import { doubleLiteral, identifier, jsonPlace, parameterSql, textLiteral } from './duckdb-sql.js';
import { numbersAsJson, SPELLINGS } from './operations.js';
import { timeOfText, timePart, timeText } from './time-text.js';

export type PrintQuery = (query: QueryNode) => EngineSql;

const TYPES: Readonly<Record<ScalarType, EngineSql>> = {
  boolean: sql`BOOLEAN`,
  integer: sql`BIGINT`,
  number: sql`DOUBLE`,
  string: sql`VARCHAR`,
  timestamp: sql`TIMESTAMP`,
  date: sql`DATE`,
};

const SEPARATORS = { and: ' AND ', or: ' OR ', '||': ' || ' } as const;

/** `queries` prints the subqueries of a term. */
export class TermPrinter {
  constructor(private readonly queries: PrintQuery) {}

  print(term: Term): EngineSql {
    switch (term.kind) {
      case 'literal':
        return literal(term.value, term.as);
      case 'parameter':
        return parameterSql(term.name);
      case 'now':
        return sql`make_timestamp(CAST($now AS BIGINT))`;
      case 'column': {
        const name = identifier(term.name);
        return term.of === null ? name : sql`${identifier(term.of)}.${name}`;
      }
      case 'element':
        return sql`x`;
      case 'json':
        return jsonRead(term.read, this.print(term.base), jsonPlace(term.path));
      case 'operation':
        return SPELLINGS[term.operation](...term.args.map((arg) => this.print(arg)));
      case 'chain':
        return sql`(${joined(this.all(term.terms), SEPARATORS[term.operator])})`;
      case 'case': {
        const branches = term.branches.map(
          ({ when, then }) => sql`WHEN ${this.print(when)} THEN ${this.print(then)}`,
        );
        const last = term.otherwise === null ? sql`` : sql` ELSE ${this.print(term.otherwise)}`;
        return sql`CASE ${joined(branches, ' ')}${last} END`;
      }
      case 'record': {
        const fields = term.fields.map(({ name, value }) => sql`${textLiteral(name)}, ${this.print(value)}`);
        return sql`json_object(${joined(fields, ', ')})`;
      }
      case 'each':
        return sql`list_transform(${this.print(term.list)}, lambda x: ${this.print(term.value)})`;
      case 'some':
        return sql`(len(list_filter(${this.print(term.list)}, lambda x: ${this.print(term.value)})) > 0)`;
      case 'among':
        return this.among(term, this.listed(term.items));
      case 'among-rows':
        return this.among(term, this.queries(term.query));
      case 'subquery':
        return this.subquery(term.gives, term.query);
      case 'aggregate':
        return this.aggregate(term);
      case 'time-part':
        return timePart(term.part, this.print(term.of));
      case 'time-text':
        return timeText({ ...term, local: this.print(term.local), utc: this.print(term.utc) }, term.format);
      case 'time-of-text':
        return timeOfText(this.print(term.text), term.format);
      default:
        return term satisfies never;
    }
  }

  all(terms: readonly Term[]): readonly EngineSql[] {
    return terms.map((term) => this.print(term));
  }

  listed(terms: readonly Term[]): EngineSql {
    return joined(this.all(terms), ', ');
  }

  private among({ of, negated }: { of: Term; negated: boolean }, set: EngineSql): EngineSql {
    return sql`(${this.print(of)} ${negated ? sql`NOT IN` : sql`IN`} (${set}))`;
  }

  private subquery(gives: 'value' | 'exists' | 'list', query: QueryNode): EngineSql {
    const printed = this.queries(query);
    switch (gives) {
      case 'value':
        return sql`(${printed})`;
      case 'exists':
        return sql`EXISTS (${printed})`;
      case 'list':
        return sql`ARRAY(${printed})`;
      default:
        return gives satisfies never;
    }
  }

  private aggregate(aggregate: Aggregate): EngineSql {
    const { name, args, distinct, orderBy, without, ignoreNulls, over } = aggregate;
    const [first = sql``, second = sql``] = this.all(args);
    const filter = without === null ? sql`` : sql` FILTER (WHERE ${this.print(without)} IS NOT NULL)`;
    const after = sql`${filter}${over === null ? sql`` : sql` OVER (${windowSql(over, (term) => this.print(term))})`}`;
    const call = (engineName: EngineSql, given: EngineSql) => {
      const inside = sql`${distinct ? sql`DISTINCT ` : sql``}${given}${orderSql(orderBy, (term) => this.print(term))}`;
      return sql`${engineName}(${inside}${ignoreNulls ? sql` IGNORE NULLS` : sql``})${after}`;
    };
    switch (name) {
      case 'count':
        return args.length === 0 ? call(sql`count`, sql`*`) : call(sql`count`, first);
      case 'min-json':
      case 'max-json': {
        const extreme = name === 'min-json' ? sql`min` : sql`max`;
        return sql`COALESCE(${numbersAsJson(call(extreme, first))}, to_json(${call(extreme, second)}))`;
      }
      case 'quantiles': {
        const points = Array.from(
          { length: Number(second) + 1 },
          (_, at) => sql`${integerLiteral(at)}.0 / ${second}`,
        );
        return call(sql`quantile_disc`, sql`${first}, [${joined(points, ', ')}]`);
      }
      default:
        return call(AGGREGATES[name], this.listed(args));
    }
  }
}

const literal = (value: string | number | boolean | null, as: ScalarType | undefined): EngineSql => {
  const printed = bareLiteral(value);
  return as === undefined ? printed : sql`CAST(${printed} AS ${TYPES[as]})`;
};

const bareLiteral = (value: string | number | boolean | null): EngineSql => {
  if (value === null) return sql`NULL`;
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'boolean') return value ? sql`TRUE` : sql`FALSE`;
  return Number.isSafeInteger(value) ? integerLiteral(value) : doubleLiteral(value);
};

const jsonRead = (read: JsonRead, base: EngineSql, place: EngineSql): EngineSql => {
  const type = sql`json_type(${base}, ${place})`;
  const value = sql`json_extract(${base}, ${place})`;
  const items = sql`json_extract(${value}, '$[*]')`;
  const text = sql`json_extract_string(${base}, ${place})`;
  switch (read) {
    case 'text':
      return text;
    case 'scalar':
      return sql`CASE WHEN ${type} NOT IN ('OBJECT', 'ARRAY') THEN ${text} END`;
    case 'value':
      return sql`NULLIF(${value}, CAST('null' AS JSON))`;
    case 'is-record':
      return sql`(${type} = 'OBJECT')`;
    case 'type':
      return sql`CASE ${type} WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' WHEN 'BIGINT' THEN 'number' WHEN 'UBIGINT' THEN 'number' WHEN 'DOUBLE' THEN 'number' END`;
    case 'length':
      return sql`CASE WHEN ${type} = 'ARRAY' THEN CAST(json_array_length(${base}, ${place}) AS BIGINT) END`;
    case 'items':
      return items;
    // The cast gives the type of a list even if DuckDB knows that the value is NULL.
    case 'elements':
      return sql`CAST(CASE WHEN ${type} = 'ARRAY' THEN ${items} END AS JSON[])`;
    case 'rows':
      return sql`CAST(CASE ${type} WHEN 'ARRAY' THEN ${items} WHEN 'OBJECT' THEN [${value}] END AS JSON[])`;
    default:
      return read satisfies never;
  }
};

const AGGREGATES: Readonly<
  Record<Exclude<AggregateName, 'count' | 'min-json' | 'max-json' | 'quantiles'>, EngineSql>
> = {
  sum: sql`sum`,
  avg: sql`avg`,
  min: sql`min`,
  max: sql`max`,
  'any-value': sql`any_value`,
  list: sql`list`,
  'joined-text': sql`string_agg`,
  'counts-by-value': sql`histogram`,
  'value-at-greatest': sql`arg_max_null`,
  'value-at-least': sql`arg_min_null`,
  corr: sql`corr`,
  'covar-pop': sql`covar_pop`,
  'covar-samp': sql`covar_samp`,
  every: sql`bool_and`,
  some: sql`bool_or`,
  'stddev-samp': sql`stddev_samp`,
  'stddev-pop': sql`stddev_pop`,
  'var-samp': sql`var_samp`,
  'var-pop': sql`var_pop`,
  'row-number': sql`row_number`,
  rank: sql`rank`,
  'dense-rank': sql`dense_rank`,
  'percent-rank': sql`percent_rank`,
  'cume-dist': sql`cume_dist`,
  ntile: sql`ntile`,
  lag: sql`lag`,
  lead: sql`lead`,
  'first-value': sql`first_value`,
  'last-value': sql`last_value`,
  'nth-value': sql`nth_value`,
  'percentile-cont': sql`quantile_cont`,
  'percentile-disc': sql`quantile_disc`,
};
