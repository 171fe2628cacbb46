/** The log explorer: a question, kept in the address, and what the logs answer. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Problem } from '../../api.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { type Asked, addressOf, askedIn } from './asked.js';
import { LogsFrame } from './logs-frame.js';
import { QuestionForm } from './question-form.js';
import { listEndpoints, outlineOf, runQuery } from './requests.js';
import { Result } from './result.js';

const FIRST: Asked = {
  endpoint: 'logs.all',
  language: 'lql',
  query: '',
  parameters: {},
  range: { kind: 'last', last: '24h' },
  redact: false,
};

const Explorer = () => {
  const search = useSearch();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const asked = askedIn(search);
  const [draft, setDraft] = useState<Asked>(asked ?? FIRST);
  // The same question again is another run: the logs have gone on.
  const [run, setRun] = useState(0);
  useEffect(() => {
    const there = askedIn(search);
    if (there !== null) setDraft(there);
  }, [search]);

  const endpoints = useQuery({ queryKey: ['logs', 'endpoints'], queryFn: listEndpoints });
  const outline = useQuery({
    queryKey: ['logs', 'outline', draft.endpoint],
    queryFn: () => outlineOf(draft.endpoint),
  });
  const runKey = ['logs', 'run', search, run];
  const answer = useQuery({
    queryKey: runKey,
    queryFn: ({ signal }) => runQuery(asked ?? FIRST, signal),
    enabled: asked !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  });

  const ask = (): void => {
    setRun((before) => before + 1);
    navigate(`/dashboard/logs?${addressOf(draft)}`);
  };
  const isUnchanged = asked !== null && addressOf(asked) === addressOf(draft);

  return (
    <LogsFrame title="Log explorer">
      {endpoints.error && <ProblemNotice problem={endpoints.error} />}
      <QuestionForm
        endpoints={endpoints.data ?? []}
        outline={outline.data ?? null}
        draft={draft}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        onAsk={ask}
        failure={isUnchanged ? answer.error : null}
        isRunning={answer.isFetching}
        onCancel={() => void client.cancelQueries({ queryKey: runKey })}
      />
      {outline.error && <ProblemNotice problem={outline.error} />}
      {answer.error && !(isUnchanged && isPlaced(answer.error)) && <ProblemNotice problem={answer.error} />}
      {answer.isFetching && <Loading />}
      {asked !== null && answer.isPending && !answer.isFetching && (
        <Notice kind="info">The query was cancelled.</Notice>
      )}
      {asked !== null && answer.data && !answer.isFetching && (
        <Result key={`${search} ${run}`} asked={asked} result={answer.data} outline={outline.data ?? null} />
      )}
    </LogsFrame>
  );
};

export default Explorer;

/** The editor says so at its place. */
const isPlaced = (error: Error): boolean => error instanceof Problem && error.position !== null;
