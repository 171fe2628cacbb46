/** The handlers of reference records. Preview and import read and compare the file in the same way. */
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type ReferenceRecord, referenceKey } from '../../domain/reference-records.js';
import { textOrder } from '../../domain/text-order.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import {
  differencesOf,
  type ReferenceDifferences,
  type ReferencesState,
  referencesAggregate,
} from '../aggregates/references/references.decider.js';
import { existingSpace } from '../aggregates/space/event-lookup.js';
import {
  fingerprintOf,
  inFile,
  refusedFile,
  requireFingerprint,
} from '../exchange/importing/import-preview.js';
import { ERASED_NAME } from '../persons/person-directory.js';
import {
  type NamedReference,
  readReferences,
  writeReferencesCsv,
  writeReferencesJson,
} from './reference-file.js';
import { ReferenceHolders } from './reference-holders.js';
import {
  ExportReferences,
  ImportReferences,
  ListReferences,
  PreviewReferences,
  type ReferenceCounts,
  type ReferencesPreview,
  type ReferencesReport,
} from './references.commands.js';

abstract class ReferencesHandler {
  constructor(
    @Inject(AGGREGATES) protected readonly aggregates: AggregateRuntime,
    protected readonly holders: ReferenceHolders,
  ) {}
}

@QueryHandler(ListReferences)
export class ListReferencesHandler extends ReferencesHandler implements IQueryHandler<ListReferences> {
  async execute({ spaceId }: ListReferences): Promise<readonly NamedReference[]> {
    await existingSpace(this.aggregates, spaceId);
    return namedReferences(await referencesIn(this.aggregates, spaceId), this.holders);
  }
}

@QueryHandler(ExportReferences)
export class ExportReferencesHandler extends ReferencesHandler implements IQueryHandler<ExportReferences> {
  async execute({ spaceId, format }: ExportReferences): Promise<string> {
    const { events } = await existingSpace(this.aggregates, spaceId);
    const references = await namedReferences(await referencesIn(this.aggregates, spaceId), this.holders);
    return format === 'csv' ? writeReferencesCsv(references, events) : writeReferencesJson(references);
  }
}

/** A file without faults, held against the stored set. */
interface Compared {
  readonly file: readonly NamedReference[];
  /** Ids of the holders so far, by name. */
  readonly known: ReadonlyMap<string, number>;
  readonly differences: ReferenceDifferences;
}

const compared = async (
  { aggregates, holders }: ReferenceServices,
  spaceId: string,
  file: readonly NamedReference[],
): Promise<Compared> => {
  const known = await holders.ids(spaceId);
  const before = await referencesIn(aggregates, spaceId);
  return { file, known, differences: differencesOf(before, withHolders(file, known)) };
};

interface ReferenceServices {
  readonly aggregates: AggregateRuntime;
  readonly holders: ReferenceHolders;
}

@QueryHandler(PreviewReferences)
export class PreviewReferencesHandler extends ReferencesHandler implements IQueryHandler<PreviewReferences> {
  async execute({ spaceId, source }: PreviewReferences): Promise<ReferencesPreview> {
    const { aggregates, holders } = this;
    const { events } = await existingSpace(aggregates, spaceId);
    const reading = readReferences(source, events);
    if (!reading.ok) return { fingerprint: '', faults: reading.faults.map(inFile), ...NO_CHANGES };
    const found = await compared({ aggregates, holders }, spaceId, reading.references);
    return { fingerprint: fingerprintOf(found.differences), faults: [], ...countsOf(found) };
  }
}

@CommandHandler(ImportReferences)
export class ImportReferencesHandler extends ReferencesHandler implements ICommandHandler<ImportReferences> {
  async execute({ spaceId, source, preview, context }: ImportReferences): Promise<ReferencesReport> {
    const { aggregates, holders } = this;
    const { events } = await existingSpace(aggregates, spaceId);
    const reading = readReferences(source, events);
    if (!reading.ok) throw refusedFile(reading.faults.map(inFile));
    const found = await compared({ aggregates, holders }, spaceId, reading.references);
    if (preview !== null) requireFingerprint(preview, found.differences);
    const names = new Set(found.file.flatMap(({ who }) => who ?? []));
    const ids = await holders.withIds(spaceId, names, found.known);
    const command = { type: 'ReplaceReferences', references: withHolders(found.file, ids) } as const;
    const { position } = accepted(await aggregates.execute(referencesAggregate, spaceId, command, context));
    await holders.erase([...found.known].flatMap(([name, id]) => (names.has(name) ? [] : [id])));
    return { position, ...countsOf(found) };
  }
}

const NO_CHANGES: ReferenceCounts = { added: 0, changed: 0, removed: 0, same: 0 };

const referencesIn = async (aggregates: AggregateRuntime, spaceId: string): Promise<ReferencesState> =>
  (await aggregates.load(referencesAggregate, spaceId, { fresh: true })).state;

/** A holder without an id yet: no stored reference names it. */
const NEW_HOLDER = 0;

const withHolders = (
  references: readonly NamedReference[],
  ids: ReadonlyMap<string, number>,
): readonly ReferenceRecord[] =>
  references.map(({ who, ...reference }) => ({
    ...reference,
    holderId: who === null ? null : (ids.get(who) ?? NEW_HOLDER),
  }));

const countsOf = ({ file, differences: { added, changed, removed } }: Compared): ReferenceCounts => ({
  added: added.length,
  changed: changed.length,
  removed: removed.length,
  same: file.length - added.length - changed.length,
});

const namedReferences = async (
  state: ReferencesState,
  holders: ReferenceHolders,
): Promise<readonly NamedReference[]> => {
  const all = [...state.values()];
  const names = await holders.names(all.flatMap(({ holderId }) => holderId ?? []));
  return all
    .sort((a, b) => textOrder(referenceKey(a), referenceKey(b)))
    .map(({ holderId, ...reference }) => ({
      ...reference,
      who: holderId === null ? null : (names.get(holderId) ?? ERASED_NAME),
    }));
};

export const referenceHandlers = [
  ListReferencesHandler,
  ExportReferencesHandler,
  PreviewReferencesHandler,
  ImportReferencesHandler,
];
