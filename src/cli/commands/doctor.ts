/**
 * `podium doctor`: checks every store without changing anything. It opens each one separately, so that a broken
 * store does not hide the others.
 */
import type { Command } from 'commander';
import type { ProjectionFinding } from '../examination.js';
import type { NodeFinding, SilentNodeFinding } from '../node-findings.js';
import { keyValueLines, Output, table } from '../output.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { sizeText } from '../sqlite-file.js';
import { wiringOf } from '../wiring.js';

export const doctorCommand = (program: Command): void => {
  program
    .command('doctor')
    .description(
      'Check every store: reachable, sound, its position, the projecting node, and free disk space.',
    )
    .addHelpText(
      'after',
      `
The exit status is 1 when there is a problem.

Examples:
  podium doctor
  podium doctor --json | jq .problems`,
    )
    .action(async (_options: object, command: Command) => {
      const { loadConfig } = await import('../../foundation/config.js');
      const { examine } = await import('../examination.js');
      const out = new Output(globalOptions(command).json);
      const found = await examine(wiringOf(command), loadConfig(process.env));
      out.answer(found, () =>
        [
          keyValueLines([
            ['podium', found.version],
            ['node', found.node],
            ['sqlite', found.sqlite],
            ['data', found.dataDir],
            ['disk free', found.diskFree === null ? null : sizeText(found.diskFree)],
            ['store id', found.storeId],
            ['installation', found.installation],
            ['events up to', found.position],
            ['last backup', found.backup && `${found.backup.at} up to ${found.backup.position}`],
            ['projector', found.projector],
            ['lease until', found.lease?.expiresAt ?? null],
          ]),
          table(found.stores, {
            store: 'store',
            file: 'file',
            size: ({ bytes }) => (bytes === null ? null : sizeText(bytes)),
            state: 'state',
          }),
          ...(found.nodes.length === 0 ? [] : [nodeTable(found.nodes)]),
          ...(found.silentNodes.length === 0 ? [] : [silentNodeTable(found.silentNodes)]),
          ...(found.projections.length === 0 ? [] : [projectionTable(found.projections)]),
          ...found.warnings.map((warning) => `warning: ${warning}`),
          ...(found.problems.length + found.warnings.length === 0 ? ['all is well'] : []),
        ].join('\n\n'),
      );
      if (found.problems.length > 0) throw new CliError(found.problems.join('\npodium: '));
    });
};

const nodeTable = (nodes: readonly NodeFinding[]): string =>
  table(nodes, {
    node: 'id',
    address: 'address',
    pid: 'pid',
    podium: 'version',
    since: 'startedAt',
    projects: ({ projecting }) => (projecting ? 'yes' : 'no'),
    position: 'position',
    behind: 'lag',
  });

const silentNodeTable = (nodes: readonly SilentNodeFinding[]): string =>
  table(nodes, { 'silent node': 'id', address: 'address', pid: 'pid', 'last seen': 'lastSeen' });

const projectionTable = (projections: readonly ProjectionFinding[]): string =>
  table(projections, {
    projection: 'name',
    version: 'version',
    'live version': 'liveVersion',
    position: 'position',
    behind: 'lag',
    building: 'building',
  });
