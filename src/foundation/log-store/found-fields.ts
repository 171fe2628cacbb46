/** Fields that entries have, by their owner, together with those of all owners. */
import { learned, NO_FIELDS, type RecordType } from './field-catalogue.js';
import { FieldObserver } from './field-observer.js';
import { ALL, type FieldOwner } from './field-owners.js';
import { knownFieldsOf } from './known-fields.js';
import type { PackedColumns } from './packed-entries.js';

export class FoundFields {
  readonly rows = new Map<FieldOwner, RecordType>();

  constructor(rows: Iterable<readonly [FieldOwner, RecordType]> = []) {
    for (const [owner, fields] of rows) this.add(owner, fields);
  }

  get all(): RecordType {
    return this.rows.get(ALL) ?? NO_FIELDS;
  }

  add(owner: FieldOwner, fields: RecordType): void {
    this.#widen(owner, fields);
    this.addToAll(fields);
  }

  /** Of an owner that has no row. */
  addToAll(fields: RecordType): void {
    this.#widen(ALL, fields);
  }

  #widen(owner: FieldOwner, fields: RecordType): void {
    this.rows.set(owner, learned(this.rows.get(owner) ?? NO_FIELDS, fields));
  }
}

/** Returns the fields of the entries of one owner, given by its index, by reading their metadata. */
export const fieldsIn = (
  { source, count, ownerOf, metadata, metadataEnds }: PackedColumns,
  owner: number,
): RecordType => {
  const observer = new FieldObserver(knownFieldsOf(source));
  let from = 0;
  for (let entry = 0; entry < count; entry++) {
    const end = metadataEnds[entry] ?? from;
    if (ownerOf[entry] === owner)
      observer.observe(JSON.parse(Buffer.from(metadata.subarray(from, end)).toString()));
    from = end;
  }
  return observer.unknown() ?? NO_FIELDS;
};
