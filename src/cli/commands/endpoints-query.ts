/** `podium endpoints query` and `estimate`: an endpoint called by an operator. */
import type { Command } from 'commander';
import type { Given } from '../../logs/query/call-parameters.js';
import type { Amount } from '../../logs/query/estimate-views.js';
import type { PlanStep } from '../../logs/sql/plan.js';
import { keyValue, repeated } from '../arguments.js';
import { inReadingSession } from '../session.js';

interface QueryOptions {
  readonly param?: readonly (readonly [name: string, value: string])[];
  readonly sql?: string;
  readonly lql?: string;
  readonly redactPii?: true;
  readonly cost?: true;
}

/** With the arguments of a call. */
const callCommand = (endpoints: Command, name: string): Command =>
  endpoints
    .command(name)
    .argument('<endpoint>', 'its name or id')
    .option('--param <name=value>', 'a parameter; may be repeated', repeated(keyValue))
    .option('--sql <query>', 'a query of your own over its tables')
    .option('--lql <query>', 'the same in LQL');

export const queryCommand = (endpoints: Command): void => {
  callCommand(endpoints, 'query')
    .description('Call an endpoint as an operator: all projects, no token.')
    .option('--redact-pii', 'redact addresses')
    .option('--cost', 'print how many entries and bytes it read')
    .addHelpText(
      'after',
      `
Examples:
  podium endpoints query logs.all --param project=abcdefghij
  podium endpoints query usage.api-counts --param interval=daily --param project=abcdefghij
  podium endpoints query logs.all --param project=abcdefghij --lql 'm.response.status_code:>=500'`,
    )
    .action(
      inReadingSession(async ({ app, out }, endpoint: string, options: QueryOptions) => {
        const { EndpointCalls } = await import('../../logs/query/endpoint-calls.js');
        const { redactPii = false, cost = false } = options;
        const given = givenIn(options);
        const { OPERATOR } = await import('../../logs/tokens/token.queries.js');
        const call = { holder: OPERATOR, endpoint, given, redact: redactPii, cost };
        const { reply, truncated, read } = await app.get(EndpointCalls).answer(call);
        console.log(reply.body.toString());
        if (truncated) out.note('there are more rows than the endpoint returns');
        if (read) out.note(`read ${amountText(read)}`);
      }),
    );
};

export const estimateCommand = (endpoints: Command): void => {
  callCommand(endpoints, 'estimate')
    .description('Tell what a call would read, and what it does, without running it.')
    .addHelpText(
      'after',
      `
Example:
  podium endpoints estimate logs.all --param project=abcdefghij --lql 'm.response.status_code:>=500'`,
    )
    .action(
      inReadingSession(async ({ app, out }, endpoint: string, options: QueryOptions) => {
        const { QueryChecks } = await import('../../logs/query/query-checks.js');
        const { OPERATOR } = await import('../../logs/tokens/token.queries.js');
        const estimate = await app.get(QueryChecks).estimate(endpoint, OPERATOR, { given: givenIn(options) });
        const { estimated, scans, plan } = estimate;
        const reads = scans.map(
          ({ source, narrowedBy, ...amount }) =>
            `  ${source}: ${amountText(amount)}${narrowedBy.length > 0 ? `, narrowed by ${narrowedBy.join(', ')}` : ''}`,
        );
        out.answer(
          estimate,
          [`would read ${amountText(estimated)}`, ...reads, ...planLines(plan, '')].join('\n'),
        );
      }),
    );
};

const givenIn = ({ param = [], sql, lql }: QueryOptions): Given => ({
  ...Object.fromEntries(param),
  sql,
  lql,
});

const amountText = ({ entries, bytes }: Amount): string =>
  `${entries} ${entries === 1 ? 'entry' : 'entries'}, ${bytes} bytes`;

const planLines = ({ step, inputs }: PlanStep, indent: string): readonly string[] => [
  `${indent}${step}`,
  ...inputs.flatMap((input) => planLines(input, `${indent}  `)),
];
