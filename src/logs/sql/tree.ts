/**
 * The syntax tree of a log query. Names and functions are not resolved yet. SQL (src/logs/sql) and LQL (src/logs/lql)
 * share it. Checks, translation and sandbox see only these nodes, so a construct without a node cannot be in any query.
 */

/** The place of a node in its text: 0-based character offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Literal = string | number | boolean | null;

export type BinaryOperator =
  | 'and'
  | 'or'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||'
  | 'like';

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
  /** Null: the query does not say. */
  readonly nulls: 'first' | 'last' | null;
}

export interface WindowSpec {
  /** The named window of the WINDOW clause that this one extends; null: none. */
  readonly base: WindowName | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  /** Null: the default frame. */
  readonly frame: WindowFrame | null;
}

export interface WindowName {
  readonly name: string;
  readonly span: Span;
}

/** `name AS (…)` of a WINDOW clause. */
export interface NamedWindow extends WindowName {
  readonly window: WindowSpec;
}

export interface WindowFrame {
  readonly unit: 'rows' | 'range';
  readonly start: FrameBound;
  readonly end: FrameBound;
}

export type FrameBound =
  | { readonly kind: 'unbounded-preceding' | 'current-row' | 'unbounded-following' }
  | { readonly kind: 'preceding' | 'following'; readonly by: Expression };

export type Expression = { readonly span: Span } & (
  | {
      readonly kind: 'literal';
      readonly value: Literal;
      /** In LQL, the field that the literal is compared with, as the author writes it. */
      readonly field?: string;
    }
  /** A dotted name: a column, an alias, or a path into a record of any depth. */
  | { readonly kind: 'path'; readonly parts: readonly string[] }
  /** A field of the value of another expression. */
  | { readonly kind: 'field'; readonly of: Expression; readonly name: string }
  /** `@name`; `name` is without the sign. */
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: 'not' | '-'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'is-null'; readonly operand: Expression; readonly negated: boolean }
  | {
      readonly kind: 'is-boolean';
      readonly operand: Expression;
      readonly value: boolean;
      readonly negated: boolean;
    }
  /** NULL is not distinct from NULL. */
  | {
      readonly kind: 'is-distinct';
      readonly left: Expression;
      readonly right: Expression;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'between';
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'in';
      readonly operand: Expression;
      readonly among: readonly Expression[] | Query;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'case';
      readonly operand: Expression | null;
      readonly branches: readonly CaseBranch[];
      readonly otherwise: Expression | null;
    }
  /** `type` in lower case, as written in the dialect. */
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: string; readonly safe: boolean }
  /** `name` in lower case. Also aggregates and window functions. */
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      readonly distinct: boolean;
      readonly nulls: 'ignore' | 'respect' | null;
      readonly orderBy: readonly OrderItem[];
      readonly limit: Expression | null;
      readonly over: WindowSpec | null;
    }
  /** The star of `count(*)`. */
  | { readonly kind: 'star' }
  | { readonly kind: 'interval'; readonly amount: Expression; readonly unit: string }
  | {
      readonly kind: 'extract';
      readonly part: string;
      readonly from: Expression;
      readonly zone: Expression | null;
    }
  /** A bare word as an argument, such as the unit of `timestamp_trunc`. */
  | { readonly kind: 'keyword'; readonly word: string }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  /** `ARRAY(SELECT …)`: the values of its single column, in the order of the query. */
  | { readonly kind: 'array-query'; readonly query: Query }
  /** `STRUCT(…)`. */
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] }
  /** `of[offset(at)]` counts from 0, `of[ordinal(at)]` from 1. The safe forms are NULL beyond the end. */
  | {
      readonly kind: 'element';
      readonly of: Expression;
      readonly at: Expression;
      readonly from: 0 | 1;
      readonly safe: boolean;
    }
  | { readonly kind: 'subquery'; readonly query: Query }
  | { readonly kind: 'exists'; readonly query: Query }
);

export interface CaseBranch {
  readonly when: Expression;
  readonly result: Expression;
}

export interface StructField {
  /** Null: the field takes the name of its value, or a name from its position. */
  readonly name: string | null;
  readonly value: Expression;
}

export type SelectItem =
  | { readonly kind: 'expression'; readonly expression: Expression; readonly alias: string | null }
  /** `*` or `qualifier.*`, without the columns of `except`, and with the expressions of `replace` for others. */
  | {
      readonly kind: 'all';
      readonly qualifier: readonly string[] | null;
      readonly except: readonly string[];
      readonly replace: readonly Replacement[];
      readonly span: Span;
    };

export interface Replacement {
  /** The name of the replaced column. */
  readonly name: string;
  readonly value: Expression;
  readonly span: Span;
}

export type FromItem = {
  readonly span: Span;
} /** `name` may hold dots where it was written in backquotes. */ & (
  | { readonly kind: 'table'; readonly name: string; readonly alias: string | null }
  | { readonly kind: 'derived'; readonly query: Query; readonly alias: string | null }
  | {
      readonly kind: 'unnest';
      readonly operand: Expression;
      readonly alias: string | null;
      readonly offsetAlias: string | null;
      /** In LQL, the field as the author writes it. Some entry must have an array there. */
      readonly field?: string;
    }
  | {
      readonly kind: 'join';
      readonly type: 'cross' | 'inner' | 'left' | 'right' | 'full';
      readonly left: FromItem;
      readonly right: FromItem;
      readonly on: Expression | null;
      readonly using: readonly string[];
    }
);

export type GroupBy =
  | { readonly kind: 'expressions'; readonly expressions: readonly Expression[] }
  /** GROUPING SETS, and ROLLUP and CUBE expanded to sets. An empty set groups all rows. */
  | { readonly kind: 'sets'; readonly sets: readonly (readonly Expression[])[] }
  /** GROUP BY ALL: by all columns of the result without an aggregate. */
  | { readonly kind: 'all' };

export interface Select {
  readonly kind: 'select';
  /** `SELECT AS STRUCT`: the columns become the fields of one struct. */
  readonly asStruct: boolean;
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
  /** Null: a query without FROM. A comma join is a cross join. */
  readonly from: FromItem | null;
  readonly where: Expression | null;
  readonly groupBy: GroupBy | null;
  readonly having: Expression | null;
  readonly qualify: Expression | null;
  readonly windows: readonly NamedWindow[];
  readonly span: Span;
}

export interface SetOperation {
  readonly kind: 'set';
  readonly operator: 'union all' | 'union distinct' | 'intersect distinct' | 'except distinct';
  readonly left: QueryBody;
  readonly right: QueryBody;
  readonly span: Span;
}

export type QueryBody = Select | SetOperation | { readonly kind: 'nested'; readonly query: Query };

export interface Cte {
  readonly name: string;
  readonly query: Query;
  readonly span: Span;
}

export interface Query {
  readonly ctes: readonly Cte[];
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}
