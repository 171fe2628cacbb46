/** Prints the terms of a query tree in ClickHouse's SQL, each with its type. */
import { type EngineSql, integerLiteral, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import { windowSql } from '../../../foundation/log-store/printing.js';
import type { Aggregate, QueryNode, ScalarType, Term } from '../../../foundation/log-store/query-tree.js';
import { aggregateSql } from './aggregates.js';
import { doubleLiteral, parameterSql, textLiteral } from './clickhouse-sql.js';
import { jsonRead, jsonRecord } from './json.js';
import { element, itemsOf, listOf, ofArray } from './lists.js';
import { isNotNull, SPELLINGS } from './operations.js';
import { as, common, engineType, nullOf, type Printed, printed, refuse, type Type } from './printed.js';
import { timeOfText, timePart, timeText } from './time-text.js';

/** What the terms of a query need of the rest of it. */
export interface Surroundings {
  /** The column of a table; of null: the only one with the name. */
  column(of: string | null, name: string): Printed;
  /** A subquery that gives one value, a list, or whether it has a row. */
  subquery(gives: 'value' | 'exists' | 'list', query: QueryNode): Printed;
  amongRows(value: Term, query: QueryNode): Printed;
  /** Called for an aggregate of the rows of a SELECT. */
  aggregated(): void;
}

const BOOLEAN: Type = { kind: 'boolean' };
const NO_NAMES: ReadonlyMap<EngineSql, EngineSql> = new Map();

export class TermPrinter {
  /** The types of what `each` and `some` read, the innermost last. */
  private readonly elements: Type[] = [];
  private named = NO_NAMES;
  private isOverNothing = false;

  constructor(private readonly surroundings: Surroundings) {}

  /** Prints terms, with a name for each that is printed like one of these. */
  withNames<T>(names: ReadonlyMap<EngineSql, EngineSql>, print: () => T): T {
    const around = this.named;
    this.named = names;
    const result = print();
    this.named = around;
    return result;
  }

  /** A term that has a name is looked for before those in it. */
  print(term: Term): Printed {
    if (this.named.size === 0) return this.plain(term);
    const whole = this.withNames(NO_NAMES, () => this.plain(term));
    const name = this.named.get(whole.sql);
    return name === undefined ? this.plain(term) : { ...whole, sql: name };
  }

  /** What a term of aggregates is where there are no rows. */
  overNothing(term: Term): Printed {
    this.isOverNothing = true;
    const value = this.print(term);
    this.isOverNothing = false;
    return value;
  }

  private plain(term: Term): Printed {
    switch (term.kind) {
      case 'literal':
        return literal(term.value, term.as);
      case 'parameter':
        return printed('string', parameterSql(term.name));
      case 'now':
        return printed('timestamp', sql`fromUnixTimestamp64Micro({now:Int64}, 'UTC')`);
      case 'column':
        return this.surroundings.column(term.of, term.name);
      case 'element':
        return { sql: sql`x`, type: this.elements.at(-1) ?? refuse('an element of nothing') };
      case 'json':
        return jsonRead(term.read, as(this.print(term.base), { kind: 'json' }), term.path);
      case 'operation': {
        const args = term.args.map((arg) => this.print(arg));
        return SPELLINGS[term.operation](...(args as [Printed, Printed, ...Printed[]]));
      }
      case 'chain':
        return this.chain(term.operator, term.terms);
      case 'case':
        return this.choice(term.branches, term.otherwise);
      case 'record':
        return jsonRecord(term.fields.map(({ name, value }) => ({ name, value: this.print(value) })));
      case 'each': {
        const list = this.print(term.list);
        const value = this.of(list, term.value);
        return listOf(value.type, sql`arrayMap(b -> arrayMap(x -> ${element(value)}, b), ${list.sql})`);
      }
      case 'some': {
        const list = this.print(term.list);
        const holds = as(this.of(list, term.value), BOOLEAN);
        return printed('boolean', ofArray(list, sql`arrayExists(x -> ifNull(${holds.sql}, false), b)`));
      }
      case 'among':
        return negatable(
          this.among(
            this.print(term.of),
            term.items.map((item) => this.print(item)),
          ),
          term.negated,
        );
      case 'among-rows':
        return negatable(this.surroundings.amongRows(term.of, term.query), term.negated);
      case 'subquery':
        return this.surroundings.subquery(term.gives, term.query);
      case 'aggregate':
        return this.aggregate(term);
      case 'time-part':
        return timePart(term.part, this.print(term.of).sql);
      case 'time-text': {
        const [local, utc] = [this.print(term.local).sql, this.print(term.utc).sql];
        return timeText({ local, utc, zoneName: term.zoneName }, term.format);
      }
      case 'time-of-text':
        return timeOfText(this.print(term.text).sql, term.format);
      default:
        return term satisfies never;
    }
  }

  /** As a condition of its own. */
  condition(term: Term): EngineSql {
    return as(this.print(term), BOOLEAN).sql;
  }

  listed(terms: readonly Term[]): EngineSql {
    return joined(
      terms.map((term) => this.print(term).sql),
      ', ',
    );
  }

  private of(list: Printed, value: Term): Printed {
    this.elements.push(itemsOf(list));
    const inner = this.print(value);
    this.elements.pop();
    return inner;
  }

  private chain(operator: 'and' | 'or' | '||', terms: readonly Term[]): Printed {
    if (operator === '||') {
      const texts = terms.map((term) => as(this.print(term), { kind: 'string' }).sql);
      return printed('string', sql`concat(${joined(texts, ', ')})`);
    }
    const conditions = terms.map((term) => this.condition(term));
    return printed('boolean', sql`(${joined(conditions, operator === 'and' ? ' AND ' : ' OR ')})`);
  }

  /** A branch that fails the query does so in its condition, since ClickHouse may compute a result that no row has. */
  private choice(
    branches: readonly { readonly when: Term; readonly then: Term }[],
    otherwise: Term | null,
  ): Printed {
    const results = branches.map(({ then }) => (isError(then) ? NOTHING : this.print(then)));
    const last = otherwise === null ? NOTHING : this.print(otherwise);
    const type = common([...results, last]);
    const whens = branches.map(({ when, then }, at) => {
      const condition = this.condition(when);
      const holds = isError(then)
        ? sql`throwIf(ifNull(${condition}, false), ${this.print(messageOf(then)).sql})`
        : condition;
      return sql`WHEN ${holds} THEN ${as(results[at] ?? NOTHING, type).sql}`;
    });
    return { sql: sql`CASE ${joined(whens, ' ')} ELSE ${as(last, type).sql} END`, type };
  }

  private among(of: Printed, items: readonly Printed[]): Printed {
    const isPlain = items.every(({ literal: value }) => value !== undefined && value !== null);
    const listed = joined(
      items.map((item) => item.sql),
      ', ',
    );
    if (isPlain) return printed('boolean', sql`(${of.sql} IN (${listed}))`);
    const tests = items.map((item) => sql`v = ${as(item, of.type).sql}`);
    return printed('boolean', sql`arrayMap(v -> (${joined(tests, ' OR ')}), [${of.sql}])[1]`);
  }

  private aggregate(aggregate: Aggregate): Printed {
    const { args, orderBy, without, over } = aggregate;
    if (over === null && !this.isOverNothing) this.surroundings.aggregated();
    const filter = without === null ? sql`` : sql` FILTER (WHERE ${this.isThere(without)})`;
    const printedAggregate = aggregateSql({
      ...aggregate,
      args: args.map((arg) => this.print(arg)),
      orderBy: orderBy.map(({ term, ...order }) => ({ ...order, key: this.print(term) })),
      after: sql`${filter}${over === null ? sql`` : sql` OVER (${windowSql(over, (term) => this.print(term).sql)})`}`,
      isWindow: over !== null,
    });
    if (!this.isOverNothing) return printedAggregate;
    return aggregate.name === 'count' ? printed('integer', sql`toInt64(0)`) : nullOf(printedAggregate.type);
  }

  private isThere(term: Term): EngineSql {
    return isNotNull(this.print(term)).sql;
  }
}

const NOTHING = printed('null', sql`NULL`);

type ErrorTerm = Extract<Term, { kind: 'operation' }>;

const isError = (term: Term): term is ErrorTerm => term.kind === 'operation' && term.operation === 'error';

const messageOf = ({ args: [message] }: ErrorTerm): Term => message ?? refuse('an error without words');

const negatable = (test: Printed, negated: boolean): Printed =>
  negated ? printed('boolean', sql`(NOT ${test.sql})`) : test;

const literal = (value: string | number | boolean | null, type: ScalarType | undefined): Printed => {
  const bare = bareLiteral(value);
  if (type === undefined) return { ...bare, literal: value };
  if (value === null) return nullOf({ kind: type });
  return { ...printed(type, sql`CAST(${bare.sql} AS ${engineType({ kind: type })})`), literal: value };
};

const bareLiteral = (value: string | number | boolean | null): Printed => {
  if (value === null) return printed('null', sql`NULL`);
  if (typeof value === 'string') return printed('string', textLiteral(value));
  if (typeof value === 'boolean') return printed('boolean', value ? sql`true` : sql`false`);
  return Number.isSafeInteger(value)
    ? printed('integer', integerLiteral(value))
    : printed('number', doubleLiteral(value));
};
