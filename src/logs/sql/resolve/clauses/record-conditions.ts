/**
 * Unnesting a record leaves out entries without it, by a condition that reads the metadata. The condition is not needed
 * when the query compares a field of the record, because that comparison is only true if the record exists.
 */
import type { Term } from '../../../../foundation/log-store/query-tree.js';
import { read as readJson, sameTerm } from '../../terms.js';
import type { Expression } from '../../tree.js';
import type { JsonPlace } from '../../values/values.js';
import { operandsOf } from '../expressions/resolve-operators.js';
import type { Resolver } from '../resolver.js';
import { resolvePath } from '../scope.js';

/** Returns the conditions that `where` does not already imply for the existence of the records. */
export const recordConditions = (
  resolver: Resolver,
  records: readonly JsonPlace[],
  where: Expression | null,
): readonly Term[] => {
  if (records.length === 0) return [];
  const tests = where === null ? [] : operandsOf(where, 'and');
  const read = tests.flatMap((test) => placesOf(resolver, test));
  return records
    .filter((record) => !read.some((place) => isWithin(place, record)))
    .map((record) => readJson('is-record', record));
};

/** Whether `place` is inside the other. A step that is a number could be an index of an array, so it does not count. */
const isWithin = (place: JsonPlace, { base, path }: JsonPlace): boolean =>
  sameTerm(place.base, base) &&
  place.path.length > path.length &&
  path.every((step, at) => step === place.path[at]) &&
  !/^\d*$/.test(`${place.path[path.length]}`);

/** Functions that are NULL when their first argument is NULL. */
const STRICT: ReadonlySet<string> = new Set([
  'regexp_contains',
  'starts_with',
  'ends_with',
  'contains_substr',
]);

/** Returns the fields that must exist for the test to be true. */
const placesOf = (resolver: Resolver, test: Expression): readonly JsonPlace[] =>
  strictOperands(test).flatMap((operand) => {
    if (operand.kind !== 'path') return [];
    const { readFrom } = resolvePath(resolver.scope, operand.parts, operand.span);
    return readFrom === undefined ? [] : [readFrom];
  });

const strictOperands = (test: Expression): readonly Expression[] => {
  switch (test.kind) {
    case 'binary':
      return test.operator === 'or' || test.operator === 'and' ? [] : [test.left, test.right];
    case 'between':
    case 'in':
      return test.negated ? [] : [test.operand];
    case 'is-null':
      return test.negated ? [test.operand] : [];
    case 'call':
      return STRICT.has(test.name) ? test.args.slice(0, 1) : [];
    default:
      return [];
  }
};
