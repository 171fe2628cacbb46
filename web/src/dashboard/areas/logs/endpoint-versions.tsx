/** The versions of an endpoint: when and by whom each was saved, and a button that loads it into the form. */
import { useQuery } from '@tanstack/react-query';
import { diffLines } from 'diff';
import type { EndpointConfig } from '../../../../../src/logs/endpoints/endpoint.events.js';
import type { EndpointVersionView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import { Button } from '../../parts/button.js';
import { ProblemNotice } from '../../parts/notice.js';
import { listVersions } from './requests.js';
import { minuteText } from './time-text.js';

const ACTORS: Readonly<Record<string, string>> = {
  moderator: 'an account',
  operator: 'an access token',
  cli: 'the command line',
  system: 'the first start',
};

const FIELDS = {
  name: 'name',
  description: 'description',
  query: 'query',
  maxRows: 'max rows',
  cachingSeconds: 'caching',
  cacheWarmingSeconds: 'warming',
  sandboxing: 'sandboxing',
  redactPii: 'redaction',
} as const satisfies Partial<Record<keyof EndpointConfig, string>>;

type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS).filter((name): name is Field => name in FIELDS);

const changedIn = (version: EndpointVersionView, before: EndpointVersionView | undefined): string => {
  if (before === undefined) return 'Created';
  const changed = NAMES.filter((name) => version[name] !== before[name]).map((name) => FIELDS[name]);
  return `Changed: ${changed.join(', ')}`;
};

export const EndpointVersions = ({
  id,
  version,
  onLoad,
}: {
  readonly id: string;
  /** The current version. The list loads again when it changes. */
  readonly version: number;
  readonly onLoad: (config: EndpointConfig) => void;
}) => {
  const { data = [], error } = useQuery({
    queryKey: ['logs', 'versions', id, version],
    queryFn: () => listVersions(id),
  });
  return (
    <>
      <h2>Versions</h2>
      {error && <ProblemNotice problem={error} />}
      <ol className="versions" reversed>
        {data.map((one, index) => (
          <li key={one.version}>
            <p>
              <strong>Version {one.version}</strong> · <time dateTime={one.at}>{minuteText(one.at)}</time> ·{' '}
              {ACTORS[one.actor] ?? one.actor} {one.accountId ?? one.keyId ?? ''}
            </p>
            <p className="help">{changedIn(one, data[index + 1])}</p>
            <QueryOfVersion query={one.query} before={data[index + 1]?.query ?? one.query} />
            {index > 0 && (
              <Button
                isQuiet
                onPress={() => onLoad(configOf(one))}
                label={`Load version ${one.version} into the form`}
              >
                Load into the form
              </Button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
};

/** The whole query, with the lines that came and went since the version before. */
const QueryOfVersion = ({ query, before }: { readonly query: string; readonly before: string }) => (
  <details>
    <summary>{query === before ? 'Query' : 'Query, compared with the version before'}</summary>
    <pre>
      {markedLines(before, query).map(({ mark, line }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a version never change.
        <span key={index} className={MARKS[mark]}>
          {mark}
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  </details>
);

const MARKS = { '+ ': 'added', '- ': 'removed', '  ': '' } as const;

interface MarkedLine {
  readonly mark: keyof typeof MARKS;
  readonly line: string;
}

const markedLines = (before: string, after: string): readonly MarkedLine[] =>
  diffLines(`${before}\n`, `${after}\n`).flatMap(({ value, added, removed }) => {
    const mark = added ? '+ ' : removed ? '- ' : '  ';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => ({ mark, line }) as const);
  });

const configOf = ({
  id,
  version,
  at,
  actor,
  keyId,
  accountId,
  ...config
}: EndpointVersionView): EndpointConfig => config;
