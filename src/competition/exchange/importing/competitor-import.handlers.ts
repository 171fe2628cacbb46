/** The handlers of imports of competitors. The preview and the import use the same planner. */

import { Inject } from '@nestjs/common';
import {
  CommandBus,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { AGGREGATES, type AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../foundation/operational/operational-store.js';
import { listCounts } from '../../aggregates/competitor-list/competitor-list.decider.js';
import { ImportCompetitorList } from '../../contests/competitor-list.commands.js';
import {
  type CompetitorsPreview,
  type CompetitorsReport,
  ImportCompetitors,
  PreviewCompetitors,
} from './competitor-import.js';
import { CompetitorImportPlanner } from './competitor-import-planner.js';
import { learnBests } from './earlier-bests.js';
import { fingerprintOf, refusedFile, requireFingerprint } from './import-preview.js';
import { type ImportTurn, ImportTurns } from './import-turns.js';
import { compareList, requestedRows } from './list-comparison.js';
import { registerPersons } from './register-persons.js';

@QueryHandler(PreviewCompetitors)
export class PreviewCompetitorsHandler implements IQueryHandler<PreviewCompetitors> {
  constructor(private readonly planner: CompetitorImportPlanner) {}

  async execute({ contest, source, options }: PreviewCompetitors): Promise<CompetitorsPreview> {
    const { preview } = await this.planner.plan(contest, source, options);
    return { fingerprint: fingerprintOf(preview), ...preview };
  }
}

@CommandHandler(ImportCompetitors)
export class ImportCompetitorsHandler implements ICommandHandler<ImportCompetitors> {
  constructor(
    private readonly commands: CommandBus,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly planner: CompetitorImportPlanner,
    private readonly turns: ImportTurns,
  ) {}

  execute(command: ImportCompetitors): Promise<CompetitorsReport> {
    return this.turns.take(command.contest.spaceId, (turn) => this.#import(command, turn));
  }

  async #import(
    { contest, source, options, context }: ImportCompetitors,
    turn: ImportTurn,
  ): Promise<CompetitorsReport> {
    const { overwrite, today } = options;
    const { preview, plan } = await this.planner.plan(contest, source, options);
    if (plan === null) throw refusedFile(preview.faults);
    if (options.preview !== null) requireFingerprint(options.preview, preview);
    const { planned, pending, before } = plan;
    const { commands, aggregates, operational } = this;
    const { spaceId } = contest;
    await registerPersons(pending, [plan], { commands, aggregates, operational, spaceId, context, turn });
    // The new persons have their ids now.
    const rows = requestedRows(compareList(planned, before, overwrite).rows);
    const changed = await commands.execute(
      new ImportCompetitorList(
        contest,
        rows,
        { seen: before.listChanges, overwrite, keepsMissing: false },
        context,
      ),
    );
    const bests = await this.planner.bests(plan, today);
    const learned =
      before.details === null ? [] : await learnBests(bests, before.details, { commands, context });
    const { notes, competitors } = preview;
    return {
      position: Math.max(...[changed, ...learned].map(({ position }) => position)),
      registered: pending.length,
      personalBests: learned.length,
      notes,
      ...listCounts(competitors),
    };
  }
}

export const competitorImportHandlers = [PreviewCompetitorsHandler, ImportCompetitorsHandler];
