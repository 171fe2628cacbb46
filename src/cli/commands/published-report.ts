/**
 * `podium import --check`: imports nothing and opens no store. It computes singles, averages and places from
 * the attempts and compares them with the published ones. It gives the cause of each difference when the files
 * show it.
 */
import type { Command } from 'commander';
import type { Difference, PublishedCheck } from '../../competition/exchange/importing/published-check.js';
import { Output, table } from '../output.js';
import { CliError } from '../refusals.js';

/** Throws CliError when a contest cannot be read or a difference has no known cause. */
export const reportPublished = async (path: string, command: Command): Promise<void> => {
  const { faultText } = await import('../../competition/exchange/formats/contest-file.js');
  const { CAUSES, checkPublished } = await import('../../competition/exchange/importing/published-check.js');
  const { readContests } = await import('../../competition/exchange/formats/read-contests.js');
  const contests = [];
  const faults: string[] = [];
  for await (const reading of readContests(path)) {
    if (reading.ok) contests.push(reading.contest);
    else faults.push(...reading.faults.map(faultText));
  }
  const check = checkPublished(contests);
  const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
  new Output(json).answer({ contests: contests.length, ...check, faults }, () =>
    reportText(contests.length, check, CAUSES),
  );
  const unexplained = check.differences.filter(({ cause }) => cause === 'unexplained').length;
  const problems = [
    ...faults,
    ...(unexplained > 0 ? [`${unexplained} differences have no cause that the files show`] : []),
  ];
  if (problems.length > 0) throw new CliError(problems.join('\n'));
};

const reportText = (
  contests: number,
  { results, compared, differing, differences }: PublishedCheck,
  causes: Readonly<Record<Difference['cause'], string>>,
): string => {
  const agreeing = (['best', 'average', 'rank'] as const).map(
    (what) => `${what}: ${compared[what] - differing[what]} of ${compared[what]} agree`,
  );
  const columns = {
    where: ({ file, line }: Difference) => `${file}:${line ?? '—'}`,
    what: 'what',
    published: 'published',
    computed: 'computed',
    cause: ({ cause }: Difference) => causes[cause],
  } as const;
  return [
    `${results} results of ${contests} contests`,
    ...agreeing,
    ...(differences.length === 0 ? [] : ['', table(differences, columns)]),
  ].join('\n');
};
