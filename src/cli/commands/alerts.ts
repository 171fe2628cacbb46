/** `podium alerts`: saved log queries on a schedule, whose receivers are told when they fire. */
import type { Command } from 'commander';
import type { AlertFieldsChange, ReceiverFields } from '../../logs/alerts/alert-body.js';
import type { AlertView } from '../../logs/alerts/alert-view.js';
import type { Condition } from '../../logs/alerts/condition.js';
import { keyValue, oneOf, positiveInteger, repeated } from '../arguments.js';
import { addListCommand } from '../common-commands.js';
import { CliError } from '../refusals.js';
import { inReadingSession, inSession, type Session } from '../session.js';

export const alertsCommands = (program: Command): void => {
  const alerts = program
    .command('alerts')
    .description('Saved log queries on a schedule, whose receivers are told when they fire.');
  for (const add of COMMANDS) add(alerts);
};

const OPERATOR = { kind: 'operator' } as const;

const alertsOf = async ({ app }: Session) => app.get((await import('../../logs/alerts/alerts.js')).Alerts);

const listCommand = (alerts: Command): void =>
  addListCommand(alerts, {
    description: 'List the alerts.',
    example: 'podium alerts list',
    read: async (session) => (await alertsOf(session)).list(OPERATOR),
    columns: {
      name: 'name',
      id: 'id',
      endpoint: 'endpoint',
      every: ({ everyMinutes }) => `${everyMinutes} min`,
      state: ({ enabled, state }) => (enabled ? state : 'off'),
      since: 'openSince',
      'silenced until': 'silencedUntil',
      'last run': ({ lastRun }) => lastRun && `${lastRun.dueAt} ${lastRun.state}`,
    },
  });

interface Options {
  readonly name?: string;
  readonly endpoint?: string;
  readonly param?: readonly (readonly [name: string, value: string])[];
  readonly every?: number;
  readonly window?: number;
  readonly when?: { readonly condition: Condition | null };
  readonly repeat?: number;
  readonly redactPii?: 'on' | 'off';
  readonly run?: 'on' | 'off';
  readonly webhook?: readonly string[];
  readonly slack?: readonly string[];
  readonly email?: readonly string[];
}

const onOff = oneOf(['on', 'off']);
const someText = repeated((text: string) => text);

/** `any`, `rows > 10` or `errors >= 5`. In an object, because commander cannot pass null. */
const condition = (text: string): { readonly condition: Condition | null } => {
  if (text === 'any') return { condition: null };
  const [, column, is, value] = /^(\S+?) ?(>=|<=|>|<|=) ?(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (column === undefined || is === undefined || value === undefined)
    throw new CliError('--when must be any, rows > 10, or a column such as errors >= 5');
  const compared = (['>', '>=', '<', '<=', '='] as const).find((known) => known === is) ?? '>';
  return { condition: { column: column === 'rows' ? null : column, is: compared, value: Number(value) } };
};

const alertOptions = (command: Command): Command =>
  command
    .option('--param <name=value>', 'a parameter of the query; may be repeated', repeated(keyValue))
    .option('--every <minutes>', 'minutes between two runs', positiveInteger)
    .option('--window <minutes>', 'minutes of entries that a run looks at', positiveInteger)
    .option('--when <condition>', 'any, `rows > 10`, or a column such as `errors >= 5`', condition)
    .option('--repeat <minutes>', 'tell the receivers again after so long', positiveInteger)
    .option('--redact-pii <on|off>', 'redact addresses', onOff)
    .option('--run <on|off>', 'whether it runs', onOff)
    .option('--webhook <url>', 'a receiver of signed messages; may be repeated', someText)
    .option('--slack <url>', 'a receiver of Slack’s JSON; may be repeated', someText)
    .option('--email <address>', 'a receiver of e-mail; may be repeated', someText);

/** Codec: the body of the API, which its reader checks. */
const bodyOf = (options: Options): object => {
  const receivers: readonly ReceiverFields[] = [
    ...(options.webhook ?? []).map((url) => ({ kind: 'webhook' as const, url })),
    ...(options.slack ?? []).map((url) => ({ kind: 'slack' as const, url })),
    ...(options.email ?? []).map((address) => ({ kind: 'email' as const, url: `mailto:${address}` })),
  ];
  return {
    ...{ name: options.name, endpoint: options.endpoint, everyMinutes: options.every },
    ...{ windowMinutes: options.window, condition: options.when?.condition, repeatMinutes: options.repeat },
    ...(options.param && { parameters: Object.fromEntries(options.param) }),
    ...(options.redactPii && { redactPii: options.redactPii === 'on' }),
    ...(options.run && { enabled: options.run === 'on' }),
    ...(receivers.length > 0 && { receivers }),
  };
};

const changeOf = async ({ app }: Session, options: Options): Promise<AlertFieldsChange> => {
  const { readAlertChange } = await import('../../logs/alerts/alert-body.js');
  const { Receivers } = await import('../../logs/alerts/receivers.js');
  const receivers = app.get(Receivers);
  return readAlertChange(bodyOf(options), (receiver) => receivers.refusal(receiver));
};

/** The secrets of its new webhooks are shown this once. */
const saved = (alert: AlertView): string =>
  [
    `alert ${alert.name} is saved as ${alert.id}`,
    ...alert.receivers.flatMap(({ url, secret }) =>
      secret === null ? [] : `the secret of ${url}, shown only now: ${secret}`,
    ),
  ].join('\n');

const createCommand = (alerts: Command): void => {
  alertOptions(alerts.command('create'))
    .description('Make an alert of a saved endpoint. Its query is checked first.')
    .argument('<name>')
    .requiredOption('--endpoint <endpoint>', 'name or id of the endpoint')
    .addHelpText(
      'after',
      `
The query must bound its entries with @iso_timestamp_start and @iso_timestamp_end, as that of logs.all does.

Example:
  podium alerts create "Errors of todo-app" --endpoint logs.all --param project=todo-app \\
    --param lql='f:postgres_logs m.parsed.error_severity:ERROR' --every 5 --window 5 --webhook https://example.com/alerts`,
    )
    .action(
      inSession(async (session: Session, name: string, options: Options) => {
        const change = await changeOf(session, { ...options, name });
        const alert = await (await alertsOf(session)).create(change, OPERATOR);
        session.out.answer(alert, saved(alert));
      }),
    );
};

const editCommand = (alerts: Command): void => {
  alertOptions(alerts.command('edit'))
    .description(
      'Change the given fields of an alert, keep the rest. It runs with the rights of the operator from then on.',
    )
    .argument('<alert>', 'its id')
    .option('--name <name>', 'its new name')
    .option('--endpoint <endpoint>', 'name or id of the endpoint')
    .addHelpText('after', '\nExample:\n  podium alerts edit 0b8e9f0c-… --when "rows > 10"')
    .action(
      inSession(async (session: Session, id: string, options: Options) => {
        const alert = await (await alertsOf(session)).edit(id, await changeOf(session, options), OPERATOR);
        session.out.answer(alert, saved(alert));
      }),
    );
};

const runsCommand = (alerts: Command): void => {
  alerts
    .command('runs')
    .description('List the runs of an alert, the last one first.')
    .argument('<alert>', 'its id')
    .option('--limit <n>', 'at most so many', positiveInteger, 50)
    .addHelpText('after', '\nExample:\n  podium alerts runs 0b8e9f0c-… --limit 10')
    .action(
      inReadingSession(async (session: Session, id: string, options: { readonly limit: number }) => {
        const { items } = await (await alertsOf(session)).runs(id, options, OPERATOR);
        session.out.list(items, {
          due: 'dueAt',
          state: 'state',
          change: 'change',
          rows: 'rows',
          problem: 'problem',
          told: ({ deliveries }) => deliveries.map(({ state }) => state).join(', '),
        });
      }),
    );
};

const silenceCommand = (alerts: Command): void => {
  alerts
    .command('silence')
    .description('Tell no receiver of an opening or a repetition until a time; without one, end the silence.')
    .argument('<alert>', 'its id')
    .option('--until <time>', 'such as 2026-03-17T10:00:00Z')
    .addHelpText('after', '\nExample:\n  podium alerts silence 0b8e9f0c-… --until 2026-03-17T10:00:00Z')
    .action(
      inSession(
        async (session: Session, id: string, { until = null }: { readonly until?: string | null }) => {
          const { readSilence } = await import('../../logs/alerts/alert-body.js');
          const end = readSilence({ until }, Date.now());
          const alert = await (await alertsOf(session)).silence(id, end, OPERATOR);
          const { name, silencedUntil } = alert;
          session.out.answer(
            alert,
            silencedUntil === null
              ? `alert ${name} is not silenced`
              : `alert ${name} is silenced until ${silencedUntil}`,
          );
        },
      ),
    );
};

const removeCommand = (alerts: Command): void => {
  alerts
    .command('remove')
    .description('Remove an alert and its history.')
    .argument('<alert>', 'its id')
    .addHelpText('after', '\nExample:\n  podium alerts remove 0b8e9f0c-…')
    .action(
      inSession(async (session: Session, id: string) => {
        await (await alertsOf(session)).remove(id, OPERATOR);
        session.out.answer({ id, state: 'removed' }, `alert ${id} is removed`);
      }),
    );
};

const COMMANDS = [listCommand, createCommand, editCommand, runsCommand, silenceCommand, removeCommand];
