/**
 * Conditions by which a projection finds documents: values of the leading fields of an index. A condition has a key, and
 * every document that meets it has the same key, so changed documents are found without a scan of all.
 */
import type { AnyCollection, Document, Scalar } from '../../read-models/read-model-store.js';

/** The fields that conditions of one kind name. */
export interface ConditionShape {
  readonly prefix: string;
  readonly given: readonly string[];
  /** All fields of the index: a null in any of them keeps a document out. */
  readonly fields: readonly string[];
}

const fieldOf = (holder: object, field: string): Scalar | undefined =>
  (holder as Readonly<Record<string, Scalar | undefined>>)[field];

const isPresent = (document: Document, field: string): boolean => (fieldOf(document, field) ?? null) !== null;

export const shapeOf = (collection: AnyCollection, index: string, equals: object): ConditionShape => {
  const fields = collection.indexes[index];
  if (!fields) throw new Error(`collection ${collection.name} has no index ${index}`);
  const given = fields.filter((field) => fieldOf(equals, field) !== undefined);
  return { prefix: `${index}/${given.length}`, given, fields };
};

/** The key of a condition, or of the condition that a document meets. */
export const conditionKey = ({ prefix, given }: ConditionShape, holder: object): string => {
  let key = prefix;
  for (const field of given) {
    const value = fieldOf(holder, field);
    key += typeof value === 'number' ? `\u0000n${value}` : `\u0000s${value}`;
  }
  return key;
};

export const isIndexed = (document: Document, { fields }: ConditionShape): boolean =>
  fields.every((field) => isPresent(document, field));

export const meets = (document: Document, shape: ConditionShape, equals: object): boolean =>
  shape.given.every((field) => fieldOf(document, field) === fieldOf(equals, field)) &&
  isIndexed(document, shape);

/** The order of the index: by its fields, then by id; text by code units, which for ASCII is the order of its bytes. */
export const inOrder =
  ({ fields }: ConditionShape) =>
  (a: Document, b: Document): number => {
    for (const field of fields) {
      const order = compareScalars(fieldOf(a, field), fieldOf(b, field));
      if (order !== 0) return order;
    }
    return compareScalars(a.id, b.id);
  };

const compareScalars = (a: Scalar = null, b: Scalar = null): number => {
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
};
