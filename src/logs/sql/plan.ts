/**
 * What a query does, in plain words: the tables that it reads, and what it does with their rows. It is read from the query alone,
 * never from the engine, whose own plan tells of the entries of other projects.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type {
  FromNode,
  Grouping,
  NamedNode,
  OrderKey,
  QueryNode,
  QueryTree,
  SelectNode,
  Term,
} from '../../foundation/log-store/query-tree.js';
import { conditionsIn, subqueriesOf, walkTerms } from './term-walk.js';

export interface PlanStep {
  readonly step: string;
  /** The steps whose rows it takes; none: it reads a table. */
  readonly inputs: readonly PlanStep[];
}

export const planOf = ({ tree }: CheckedQuery): PlanStep => new PlanWriter(tree).plan(tree.body);

/** The fields of entries that a column is made of, by its name. */
type Fields = ReadonlyMap<string, ReadonlySet<string>>;

/** The tables of a SELECT by their aliases. Null: columns are those of the entries. */
type Aliases = ReadonlyMap<string | null, Fields | null>;

class PlanWriter {
  readonly #named: ReadonlyMap<string, NamedNode>;
  /** Named queries that are computed once, as far as they are told. */
  readonly #told = new Set<NamedNode>();
  readonly #fields = new Map<QueryNode, Fields>();

  constructor({ named }: QueryTree) {
    this.#named = new Map(named.map((node) => [node.name, node]));
  }

  plan(query: QueryNode): PlanStep {
    if (query.kind === 'set')
      return { step: SET_STEPS[query.operator], inputs: [this.plan(query.left), this.plan(query.right)] };
    const aliases = this.#aliases(query.from);
    const rows =
      query.from === null ? { step: 'make one row', inputs: [] } : this.#tables(query.from, aliases);
    const steps = stepsOf(query, (terms) => listed(fieldsIn(terms, aliases)));
    const inner = subqueriesOf(query).map((subquery) => this.plan(subquery));
    const first =
      inner.length === 0 ? rows : { step: 'look up the rows of subqueries', inputs: [rows, ...inner] };
    return steps.reduce<PlanStep>((input, step) => ({ step, inputs: [input] }), first);
  }

  #tables(from: FromNode, aliases: Aliases): PlanStep {
    switch (from.kind) {
      case 'source': {
        const { source, project } = from;
        return { step: `read ${source}${project === null ? '' : ` of the project ${project}`}`, inputs: [] };
      }
      case 'named': {
        const node = this.#named.get(from.name);
        if (!node) throw new Error(`there is no query ${from.name}`);
        if (!node.isCostly) return this.plan(node.query);
        if (this.#told.has(node)) return { step: 'read the same result again', inputs: [] };
        this.#told.add(node);
        return { step: 'keep the result for all that read it', inputs: [this.plan(node.query)] };
      }
      case 'derived':
        return this.plan(from.query);
      case 'elements':
        return {
          step: `take the elements of ${listed(fieldsIn([from.list], aliases)) || 'a list'}`,
          inputs: [],
        };
      case 'join': {
        const fields = listed(fieldsIn(from.on, aliases));
        const step = `${JOIN_STEPS[from.type]}${fields && ` by ${fields}`}`;
        return { step, inputs: [this.#tables(from.left, aliases), this.#tables(from.right, aliases)] };
      }
      default:
        return from satisfies never;
    }
  }

  #aliases(from: FromNode | null): Aliases {
    switch (from?.kind) {
      case undefined:
        return new Map();
      case 'source':
        return new Map([[from.as, null]]);
      case 'named':
        return new Map([[from.as, this.#fieldsOf(this.#named.get(from.name)?.query)]]);
      case 'derived':
        return new Map([[from.as, this.#fieldsOf(from.query)]]);
      case 'elements':
        return new Map([[from.as, new Map()]]);
      case 'join':
        return new Map([...this.#aliases(from.left), ...this.#aliases(from.right)]);
    }
  }

  #fieldsOf(query: QueryNode | undefined): Fields {
    if (query === undefined) return new Map();
    if (query.kind === 'set') return this.#fieldsOf(query.left);
    const known = this.#fields.get(query);
    if (known) return known;
    const aliases = this.#aliases(query.from);
    const fields = new Map(query.items.map(({ term, name }) => [name, fieldsIn([term], aliases)]));
    this.#fields.set(query, fields);
    return fields;
  }
}

const SET_STEPS = {
  'union all': 'put the rows of all together',
  'union distinct': 'put the rows of all together, each once',
  'intersect distinct': 'keep the rows that both have',
  'except distinct': 'keep the rows of the first that the second has not',
} as const;

const JOIN_STEPS = {
  inner: 'join',
  left: 'join, keeping all rows of the first',
  right: 'join, keeping all rows of the second',
  full: 'join, keeping all rows of both',
  cross: 'join every row with every row',
} as const;

/** In the order in which they are done. `by`: the fields of the terms; an empty text: none. */
const stepsOf = (select: SelectNode, by: (terms: readonly Term[]) => string): readonly string[] => {
  const { distinct, items, where, groupBy, having, qualify, orderBy, limit, offset } = select;
  const of = (step: string, terms: readonly Term[]): string => {
    const fields = by(terms);
    return fields === '' ? step : `${step} by ${fields}`;
  };
  const { aggregates, windows } = aggregatesIn([items, having, qualify, orderBy]);
  return [
    ...(where.length === 0 ? [] : [of('filter', conditionsIn(where))]),
    ...(groupBy === null ? [] : [of('group', groupTerms(groupBy))]),
    ...(aggregates.length === 0
      ? []
      : [`compute ${aggregates.join(', ')} of ${groupBy === null ? 'all rows' : 'each group'}`]),
    ...(having === null ? [] : [of('filter the groups', [having])]),
    ...(windows.length === 0 ? [] : [`compute ${windows.join(', ')} over a window`]),
    ...(qualify === null ? [] : [of('filter the rows of the window', [qualify])]),
    ...(distinct ? ['leave out equal rows'] : []),
    ...(orderBy.length === 0
      ? []
      : [
          of(
            'order',
            orderBy.map(({ term }: OrderKey) => term),
          ),
        ]),
    ...(limit === null && offset === null ? [] : [limitStep(limit, offset)]),
  ];
};

const limitStep = (limit: Term | null, offset: Term | null): string => {
  const skipped = offset === null ? '' : `leave out the first ${numberOf(offset)} rows`;
  const kept = limit === null ? '' : `take the first ${numberOf(limit)} rows`;
  return skipped && kept ? `${skipped}, then ${kept}` : skipped || kept;
};

const numberOf = (term: Term): string => (term.kind === 'literal' ? String(term.value) : 'so many');

const groupTerms = (grouping: Grouping): readonly Term[] =>
  grouping.kind === 'terms' ? grouping.terms : grouping.sets.flat();

/** Names of the functions, each once. */
const aggregatesIn = (value: unknown): { readonly aggregates: string[]; readonly windows: string[] } => {
  const [aggregates, windows] = [new Set<string>(), new Set<string>()];
  walkTerms(value, (term) => {
    if (term.kind === 'aggregate') (term.over === null ? aggregates : windows).add(term.name);
    return true;
  });
  return { aggregates: [...aggregates], windows: [...windows] };
};

/** The fields of entries that the terms read. Columns of an enclosing query are left out. */
const fieldsIn = (terms: readonly Term[], aliases: Aliases): ReadonlySet<string> => {
  const found = new Set<string>();
  walkTerms(terms, (term) => {
    const [base, path] = term.kind === 'json' ? [term.base, term.path] : [term, []];
    if (base.kind === 'column') {
      const ends = path.map((part) => `.${part}`).join('');
      for (const field of fieldsOf(base.of, base.name, aliases)) found.add(`${field}${ends}`);
    }
    return base.kind !== 'column';
  });
  return found;
};

const fieldsOf = (of: string | null, name: string, aliases: Aliases): Iterable<string> => {
  const fields = of === null && aliases.size === 1 ? [...aliases.values()][0] : aliases.get(of);
  if (fields === null) return [name];
  return fields?.get(name) ?? [];
};

const listed = (fields: ReadonlySet<string>): string => [...fields].join(', ');
