/** `podium export`: exports a contest as WCIF or CSV, drafts included. */

import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { WCIF_VERSIONS, type WcifVersion } from '../../competition/exchange/formats/wcif.js';
import type { ContestRef } from '../../domain/references.js';
import { oneOf } from '../arguments.js';
import { inReadingSession } from '../session.js';

interface Given {
  readonly format: 'wcif' | 'csv';
  readonly wcifVersion: WcifVersion;
  readonly out?: string;
}

export const exportCommand = (program: Command): void => {
  program
    .command('export')
    .description("Print a contest in the association's WCIF (JSON) or as a CSV of its results.")
    .argument('<id>', 'the contest')
    .requiredOption('--format <format>', 'wcif or csv', oneOf(['wcif', 'csv']))
    .addOption(
      new Option('--wcif-version <version>', 'of the WCIF')
        .choices(WCIF_VERSIONS)
        .default('1', '1, which most programs read'),
    )
    .option('--out <file>', 'write to this file instead of stdout')
    .addHelpText(
      'after',
      `
Examples:
  podium export SpringOpen2026 --format wcif --out spring.json
  podium export SpringOpen2026 --format wcif --wcif-version 2 --out spring-2.json
  podium export SpringOpen2026 --format csv | column -s, -t`,
    )
    .action(
      inReadingSession(async ({ app, contest, out }, id: string, options: Given) => {
        const text = await exported(app, contest(id), options);
        await out.save(text, options.out, { of: id, competitionId: id, format: options.format });
      }),
    );
};

const exported = async (
  app: INestApplicationContext,
  contest: ContestRef,
  { format, wcifVersion }: Given,
): Promise<string> => {
  const { QueryBus } = await import('@nestjs/cqrs');
  const { exportCsv, exportWcifText } = await import('../../competition/exchange/contest-export.js');
  const queries = app.get(QueryBus);
  switch (format) {
    case 'wcif':
      return exportWcifText(queries, contest, wcifVersion);
    case 'csv':
      return exportCsv(queries, [contest]);
    default:
      return format satisfies never;
  }
};
