/** `podium export`: exports a contest as WCIF or CSV, drafts included. */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { ContestRef } from '../../domain/references.js';
import { oneOf } from '../arguments.js';
import { inSession } from '../session.js';

type Format = 'wcif' | 'csv';

export const exportCommand = (program: Command): void => {
  program
    .command('export')
    .description("Print a contest in the association's WCIF (JSON) or as a CSV of its results.")
    .argument('<id>', 'the contest')
    .requiredOption('--format <format>', 'wcif or csv', oneOf(['wcif', 'csv']))
    .option('--out <file>', 'write to this file instead of stdout')
    .addHelpText(
      'after',
      `
Examples:
  podium export SpringOpen2026 --format wcif --out spring.json
  podium export SpringOpen2026 --format csv | column -s, -t`,
    )
    .action(
      inSession(async ({ app, contest, out }, id: string, options: { format: Format; out?: string }) => {
        const text = await exported(app, contest(id), options.format);
        if (options.out === undefined) {
          process.stdout.write(text);
          return;
        }
        const file = resolve(options.out);
        await writeFile(file, text);
        out.answer(
          { competitionId: id, format: options.format, file, bytes: Buffer.byteLength(text) },
          `${id} is in ${file}`,
        );
      }),
    );
};

const exported = async (
  app: INestApplicationContext,
  contest: ContestRef,
  format: Format,
): Promise<string> => {
  const { QueryBus } = await import('@nestjs/cqrs');
  const { exportCsv, exportWcif } = await import('../../competition/exchange/contest-export.js');
  const queries = app.get(QueryBus);
  switch (format) {
    case 'wcif':
      return `${JSON.stringify(await exportWcif(queries, contest), null, 2)}\n`;
    case 'csv':
      return exportCsv(queries, [contest]);
    default:
      return format satisfies never;
  }
};
