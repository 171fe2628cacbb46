/**
 * Keeps the reference records of spaces, and writes their steps into the documents of the records that they are references
 * of: a reference of a country also counts in its continent and in the world. They make no result a record and rank nowhere.
 */

import { isBeaten, type RecordSteps, withStep } from '../../domain/record-steps.js';
import {
  type ReferenceGroup,
  type ReferenceKey,
  type ReferenceRecord,
  referenceKey,
  regionsAround,
} from '../../domain/reference-records.js';
import { recordListTags } from '../../domain/result-tags.js';
import { boardsOfKind } from '../../domain/results.js';
import { tags } from '../../domain/tags.js';
import { textOrder } from '../../domain/text-order.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { ReferencesEvent } from '../aggregates/references/references.events.js';
import type { RecordRange } from './ranking-documents.js';
import { recordOfRange, touchHolders, writeRecord } from './record-keeper.js';
import { type ReferenceStep, withSteps } from './reference-steps.js';

/** The references of one group of a space. Removed with the last one. */
export interface ReferencesDocument extends Document {
  /** By key. */
  readonly references: readonly ReferenceRecord[];
}

export const referenceRecords: Collection<ReferencesDocument> = { name: 'referenceRecords', indexes: {} };

interface GroupChange {
  readonly group: ReferenceGroup;
  readonly removed: ReferenceKey[];
  readonly added: ReferenceRecord[];
}

/** `at`: when they were replaced, in milliseconds since 1970. */
export const replaceReferences = async (
  session: ProjectionSession,
  spaceId: string,
  { removed, added, at }: ReferencesEvent['data'] & { readonly at: number },
): Promise<void> => {
  const changes = new Map<string, GroupChange>();
  const changeOf = ({ eventId, kind, category }: ReferenceGroup): GroupChange => {
    const id = [spaceId, eventId, kind, category].join('/');
    const change = changes.get(id) ?? { group: { eventId, kind, category }, removed: [], added: [] };
    changes.set(id, change);
    return change;
  };
  for (const key of removed) changeOf(key).removed.push(key);
  for (const reference of added) changeOf(reference).added.push(reference);
  for (const [id, change] of changes) await changeGroup(session, { spaceId, id, at }, change);
  session.touch(() => tags.withdrawnRecords(spaceId));
};

const changeGroup = async (
  session: ProjectionSession,
  { spaceId, id, at }: { readonly spaceId: string; readonly id: string; readonly at: number },
  { group, removed, added }: GroupChange,
): Promise<void> => {
  const before = (await session.get(referenceRecords, id))?.references ?? [];
  const changed = new Set([...removed, ...added].map(referenceKey));
  const kept = before.filter((reference) => !changed.has(referenceKey(reference)));
  const references = [...kept, ...added].sort((a, b) => textOrder(referenceKey(a), referenceKey(b)));
  if (references.length > 0) session.put(referenceRecords, { id, references });
  else session.remove(referenceRecords, id);
  const regions = new Set([...removed, ...added].flatMap(({ region }) => regionsAround(region)));
  for (const region of regions) {
    const change = { steps: stepsIn(region, references), at };
    const continent = region === null ? null : (regionsAround(region).at(-2) ?? null);
    const { kind, category } = group;
    for (const board of boardsOfKind({ spaceId, ...group }, kind, category))
      await changeRange(session, { kind, board, region, continent, spaceId, category }, change);
    session.touch(() => recordListTags({ spaceId, ...group }, region));
  }
};

type NewStep = Omit<ReferenceStep, 'at'>;

/** Of equal values of one day the one of the region itself stands. */
const stepsIn = (region: string | null, references: readonly ReferenceRecord[]): readonly NewStep[] => {
  const within = references.filter((reference) => regionsAround(reference.region).includes(region));
  let steps: RecordSteps = [];
  for (const { since, value } of within) steps = withStep(steps, { date: since, value });
  return steps.map(({ date, value }) => {
    const equal = within.filter((reference) => reference.since === date && reference.value === value);
    const made = equal.find((reference) => reference.region === region) ?? equal[0];
    return { date, value, holderId: made?.holderId ?? null };
  });
};

const changeRange = async (
  session: ProjectionSession,
  range: RecordRange,
  { steps, at }: { readonly steps: readonly NewStep[]; readonly at: number },
): Promise<void> => {
  const before = await recordOfRange(session, range);
  const { references, former } = withSteps(before, steps, at);
  writeRecord(session, range, { steps: before.steps, references, former });
  const changed = before.steps.filter(
    (step) => isBeaten(before.references, step) !== isBeaten(references, step),
  );
  await touchHolders(session, range, changed);
};
