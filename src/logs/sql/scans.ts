/**
 * Which entries a query reads: those of its sources in the time ranges and of the projects that its conditions name. Other
 * conditions are left out, because an engine reads an entry before it can judge it. The project of a tied token is part of each
 * source, so nothing here tells of the entries of others.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type {
  FromNode,
  NamedNode,
  QueryNode,
  QueryTree,
  SelectNode,
  Term,
} from '../../foundation/log-store/query-tree.js';
import { type LogSource, projectMatchOf } from '../../foundation/log-store/sources.js';
import { conditionsIn, subqueriesOf, walkTerms } from './term-walk.js';
import { aggregateOf, apply, column, literal, PLAIN_SELECT, read, sameTerm, subqueryTerm } from './terms.js';

export type Narrowing = 'project' | 'time';

export interface SourceScan {
  readonly source: LogSource;
  /** The conditions that leave entries out before they are read. */
  readonly narrowedBy: readonly Narrowing[];
  /** The entries, each with BYTES and `columns`. */
  readonly rows: SelectNode;
  /** Those by which an enclosing query can narrow the scan. */
  readonly columns: ReadonlyMap<string, Narrowing>;
}

/** Of message and metadata as text. No field and no alias of LQL has a space in its name. */
const BYTES = 'entry bytes';

/** Entries of each scan whose bytes are measured for an estimate. */
const MAX_SAMPLE = 1_000;

/**
 * One row for each scan: its index as `scan`, its `entries`, counted, and `bytes` of an entry on average in a sample, NULL without
 * entries. Null: no scans.
 */
export const estimateQuery = (scans: readonly SourceScan[]): CheckedQuery | null => {
  const [first, ...rest] = scans.map(estimateOf);
  if (first === undefined) return null;
  const united = (left: QueryNode, right: QueryNode): QueryNode => ({
    kind: 'set',
    operator: 'union all',
    left,
    right,
  });
  return { tree: { named: [], body: rest.reduce(united, first) } };
};

const estimateOf = ({ rows }: SourceScan, index: number): QueryNode => {
  const sample = { ...rows, limit: literal(MAX_SAMPLE) };
  return {
    ...PLAIN_SELECT,
    items: [
      { term: literal(index), name: 'scan' },
      { term: overall(rows, 'count', []), name: 'entries' },
      { term: overall(sample, 'avg', [apply('integer-as-number', column('e', BYTES))]), name: 'bytes' },
    ],
  };
};

const overall = (rows: SelectNode, name: 'count' | 'avg', args: readonly Term[]): Term =>
  subqueryTerm('value', {
    ...PLAIN_SELECT,
    items: [{ term: aggregateOf(name, args), name: 'v' }],
    from: { kind: 'derived', query: rows, as: 'e' },
  });

/** Each source as often as the query reads it. */
export const scansOf = ({ tree }: CheckedQuery): readonly SourceScan[] =>
  new ScanFinder(tree).scans(tree.body);

class ScanFinder {
  readonly #named: ReadonlyMap<string, NamedNode>;
  readonly #computed = new Set<NamedNode>();

  constructor({ named }: QueryTree) {
    this.#named = new Map(named.map((node) => [node.name, node]));
  }

  scans(query: QueryNode): readonly SourceScan[] {
    // Both sides give their columns the same names.
    if (query.kind === 'set') return [...this.scans(query.left), ...this.scans(query.right)];
    const leaves = query.from === null ? [] : this.#leaves(query.from);
    const inner = subqueriesOf(query).flatMap((subquery) => this.scans(subquery));
    return [...leaves.map((leaf) => narrowed(leaf, query)), ...inner];
  }

  #leaves(from: FromNode): readonly Leaf[] {
    switch (from.kind) {
      case 'source':
        return [sourceLeaf(from)];
      case 'named':
        return this.#scansOfNamed(from.name).map((scan) => scanLeaf(scan, from.as));
      case 'derived':
        return this.scans(from.query).map((scan) => scanLeaf(scan, from.as));
      case 'elements':
        return [];
      case 'join':
        return [...this.#leaves(from.left), ...this.#leaves(from.right)];
      default:
        return from satisfies never;
    }
  }

  /** A costly one is computed once, for all that read it. */
  #scansOfNamed(name: string): readonly SourceScan[] {
    const node = this.#named.get(name);
    if (!node || this.#computed.has(node)) return [];
    const scans = this.scans(node.query);
    if (!node.isCostly) return scans;
    this.#computed.add(node);
    return scans.map((scan) => ({ ...scan, columns: new Map() }));
  }
}

/** Entries under the alias that a SELECT gives them. */
interface Leaf extends Omit<SourceScan, 'rows'> {
  readonly from: FromNode;
  readonly as: string | null;
  readonly bytes: Term;
  /** Where a source has the project, unless in a column. */
  readonly project?: Term;
}

const sourceLeaf = (from: Extract<FromNode, { kind: 'source' }>): Leaf => {
  const { source, project, as } = from;
  const match = projectMatchOf(source);
  const metadata = column(as, 'metadata');
  const texts = [column(as, 'event_message'), apply('json-as-text', metadata)];
  const leaf: Leaf = {
    source,
    narrowedBy: project === null ? [] : ['project'],
    columns: new Map([
      ['timestamp', 'time'],
      ...(match === 'project' ? [['project', 'project'] as const] : []),
    ]),
    from,
    as,
    bytes: apply('add-integers', ...texts.map((text) => apply('byte-length', text))),
  };
  if (match === 'project') return leaf;
  return { ...leaf, project: read('text', { base: metadata, path: [match.slice('metadata.'.length)] }) };
};

const scanLeaf = ({ rows, ...scan }: SourceScan, as: string | null): Leaf => ({
  ...scan,
  from: { kind: 'derived', query: rows, as },
  as,
  bytes: column(as, BYTES),
});

const narrowed = (leaf: Leaf, select: SelectNode): SourceScan => {
  const { source, from, bytes } = leaf;
  const where: Term[] = [];
  const narrowedBy = new Set(leaf.narrowedBy);
  for (const condition of conditionsIn(select.where)) {
    const by = narrowings(condition, leaf);
    if (by === null) continue;
    where.push(condition);
    for (const narrowing of by) narrowedBy.add(narrowing);
  }
  const items = select.items.flatMap(({ term, name }) => {
    const narrowing = narrowingOf(term, leaf);
    return narrowing === null ? [] : [{ term, name, narrowing }];
  });
  return {
    source,
    narrowedBy: [...narrowedBy],
    rows: {
      ...PLAIN_SELECT,
      items: [...items.map(({ term, name }) => ({ term, name })), { term: bytes, name: BYTES }],
      from,
      where,
    },
    columns: new Map(isTransparent(select) ? items.map(({ name, narrowing }) => [name, narrowing]) : []),
  };
};

/** Whether the rows of a SELECT that a condition leaves out need not be read. */
const isTransparent = ({ items, groupBy, having, qualify, limit, offset }: SelectNode): boolean => {
  if (groupBy !== null || having !== null || qualify !== null || limit !== null || offset !== null)
    return false;
  let aggregates = false;
  walkTerms(items, ({ kind }) => {
    aggregates ||= kind === 'aggregate';
    return true;
  });
  return !aggregates;
};

/** What the term is; null: neither time nor project. */
const narrowingOf = (term: Term, { as, columns, project }: Leaf): Narrowing | null => {
  if (project && sameTerm(term, project)) return 'project';
  return term.kind === 'column' && term.of === as ? (columns.get(term.name) ?? null) : null;
};

/** What the condition compares; null: also something that only the entry itself tells. */
const narrowings = (condition: Term, leaf: Leaf): ReadonlySet<Narrowing> | null => {
  const found = new Set<Narrowing>();
  let needsEntry = false;
  walkTerms(condition, (term) => {
    const narrowing = narrowingOf(term, leaf);
    if (narrowing !== null) found.add(narrowing);
    else needsEntry ||= ['column', 'element', 'subquery', 'among-rows', 'aggregate'].includes(term.kind);
    return narrowing === null && !needsEntry;
  });
  return needsEntry || found.size === 0 ? null : found;
};
