/** The query handler of previews. It uses the planner of the import. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { AGGREGATES, type AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import { existingSpace } from '../../aggregates/space/event-lookup.js';
import { type ImportPreview, PreviewImport } from './import.queries.js';
import { ImportPlanner } from './import-planner.js';
import { fingerprintOf, previewOf } from './import-preview.js';

@QueryHandler(PreviewImport)
export class PreviewImportHandler implements IQueryHandler<PreviewImport> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    private readonly planner: ImportPlanner,
  ) {}

  async execute({ readings, options }: PreviewImport): Promise<ImportPreview> {
    const space = await existingSpace(this.aggregates, options.spaceId);
    const { planned } = await this.planner.plan(readings, options);
    const contests = previewOf(planned, space, options);
    return { fingerprint: fingerprintOf(contests), contests };
  }
}
