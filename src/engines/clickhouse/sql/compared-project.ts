/**
 * Finds what the WHERE of a SELECT compares the project of a source's entries with. The scan of the source can then go by the key of
 * its table, which begins with the owner; the comparison itself stays in the WHERE. That drops no row of the result: rows without
 * such an entry, as an outer join gives them, do not satisfy the comparison either.
 */
import { type EngineSql, sql } from '../../../foundation/log-store/engine-sql.js';
import type { FromNode, Term } from '../../../foundation/log-store/query-tree.js';
import { type ProjectMatch, projectMatchOf } from '../../../foundation/log-store/sources.js';

type SourceNode = Extract<FromNode, { kind: 'source' }>;

export interface ComparedProject {
  /** The alias of the table. */
  readonly of: string | null;
  /** The place that is compared. It says whose an entry is only where the source goes by that place. */
  readonly place: ProjectMatch;
  /** A parameter or a literal. */
  readonly with: Term;
}

/** `where`: all of them hold. */
export const comparedProjects = (where: readonly Term[]): readonly ComparedProject[] =>
  where.flatMap((term) => {
    if (term.kind === 'chain' && term.operator === 'and') return comparedProjects(term.terms);
    if (term.kind !== 'operation' || term.operation !== '=') return [];
    const [left, right] = term.args;
    if (left === undefined || right === undefined) return [];
    return [...comparison(left, right), ...comparison(right, left)];
  });

const comparison = (compared: Term, value: Term): readonly ComparedProject[] => {
  const isText = value.kind === 'parameter' || (value.kind === 'literal' && typeof value.value === 'string');
  if (!isText) return [];
  if (compared.kind === 'column' && compared.name === 'project')
    return [{ of: compared.of, place: 'project', with: value }];
  if (compared.kind !== 'json' || (compared.read !== 'text' && compared.read !== 'scalar')) return [];
  const { base, path } = compared;
  if (base.kind !== 'column' || base.name !== 'metadata' || path.length !== 1) return [];
  const [field] = path;
  return field === 'project' || field === 'project_ref'
    ? [{ of: base.of, place: `metadata.${field}`, with: value }]
    : [];
};

/**
 * Conditions that hold for each entry of the source that satisfies the comparisons. A field of the metadata also equals the text of
 * a number, say, and an entry with a number there has no owner.
 */
export const ownerConditions = (
  { source, as }: SourceNode,
  compared: readonly ComparedProject[],
  print: (term: Term) => EngineSql,
): readonly EngineSql[] => {
  const match = projectMatchOf(source);
  const ofSource = compared.filter(({ of, place }) => of === as && place === match);
  return ofSource.map(({ with: value }) =>
    match === 'project' ? sql`_owner = ${print(value)}` : sql`_owner IN (${print(value)}, '')`,
  );
};
