/** The log explorer: a query, which is kept in the address, and its result. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Problem } from '../../api.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { type FacetNames, parseFacets, withFacets } from './chosen-facets.js';
import { hasPages, pagePart } from './entry-parts.js';
import { FilterDialog } from './filter-dialog.js';
import { FIRST_QUERY, type LogQuery, parseSearch, toSearch } from './log-query.js';
import { LogsFrame } from './logs-frame.js';
import { type EndpointOutline, projectParameter } from './outline.js';
import { ProjectChoice } from './project-choice.js';
import { QueryForm } from './query-form.js';
import { AFTER_CANCELLED, getOutline, listEndpoints, runQuery } from './requests.js';
import { ResultSection } from './result-section.js';
import { SavedQueries, SaveQueryDialog, useSavedQueries } from './saved-queries.js';

const Explorer = () => {
  const search = useSearch();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { query: askedText, facets } = useMemo(() => parseFacets(search), [search]);
  const asked = useMemo(() => parseSearch(askedText), [askedText]);
  const [draft, setDraft] = useState<LogQuery>(asked ?? FIRST_QUERY);
  // Counts runs, so that running the same query again reads new entries.
  const [run, setRun] = useState(0);
  const [saving, setSaving] = useState<'query' | 'filter' | null>(null);
  const endSaving = (): void => setSaving(null);
  useEffect(() => {
    if (asked !== null) setDraft(asked);
  }, [asked]);

  // A saved query has a link by its name, which leads to its address.
  const wanted = new URLSearchParams(search).get('saved');
  const saved = useSavedQueries().data;
  const found = saved?.find(({ name }) => name === wanted);
  const isUnknown = wanted !== null && saved !== undefined && found === undefined;
  useEffect(() => {
    if (found) navigate(`/dashboard/logs?${found.address}`, { replace: true });
  }, [found, navigate]);

  const endpoints = useQuery({ queryKey: ['logs', 'endpoints'], queryFn: listEndpoints });
  const outline = useOutline(draft.endpoint);
  const askedOutline = useOutline((asked ?? draft).endpoint).data ?? null;
  const question = asked && askedOutline && { asked, outline: askedOutline };
  const runKey = ['logs', 'run', askedText, run];
  const answer = useQuery({
    queryKey: runKey,
    queryFn: question ? ({ signal }) => runQuery(question.asked, { signal, ...partOf(question) }) : skipToken,
    ...AFTER_CANCELLED,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  });

  const ask = useCallback(
    (query: LogQuery): void => {
      setRun((before) => before + 1);
      navigate(`/dashboard/logs?${withFacets(toSearch(query), facets)}`);
    },
    [navigate, facets],
  );
  const chooseFacets = useCallback(
    (chosen: FacetNames): void => navigate(`/dashboard/logs?${withFacets(askedText, chosen)}`),
    [navigate, askedText],
  );
  const isUnchanged = asked !== null && toSearch(asked) === toSearch(draft);

  return (
    <LogsFrame title="Log explorer">
      <SavedQueries />
      {isUnknown && <Notice kind="info">No query is saved as {wanted}.</Notice>}
      {endpoints.error && <ProblemNotice problem={endpoints.error} />}
      <QueryForm
        endpoints={endpoints.data ?? []}
        outline={outline.data ?? null}
        draft={draft}
        facets={facets}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        onAsk={() => ask(draft)}
        onSave={setSaving}
        failure={isUnchanged ? answer.error : null}
        isRunning={answer.isFetching}
        onCancel={() => void client.cancelQueries({ queryKey: runKey })}
      />
      {saving === 'query' && (
        <SaveQueryDialog address={withFacets(toSearch(draft), facets)} onClose={endSaving} />
      )}
      {saving === 'filter' && (
        <FilterDialog
          draft={{ lql: draft.query.trim(), project: draft.parameters.project || null }}
          onClose={endSaving}
        />
      )}
      {outline.error && <ProblemNotice problem={outline.error} />}
      {answer.error && !(isUnchanged && isPlaced(answer.error)) && <ProblemNotice problem={answer.error} />}
      {answer.isFetching && <Loading />}
      {question && answer.isPending && !answer.isFetching && (
        <Notice kind="info">The query was cancelled.</Notice>
      )}
      {question && answer.data && !answer.isFetching && (
        <ResultSection
          key={`${askedText} ${run}`}
          {...question}
          {...{ facets }}
          result={answer.data}
          onAsk={ask}
          onFacets={chooseFacets}
        />
      )}
      {asked === null && outline.data && projectParameter(outline.data) !== null && (
        <ProjectChoice draft={draft} onAsk={ask} />
      )}
    </LogsFrame>
  );
};

export default Explorer;

const useOutline = (endpoint: string) =>
  useQuery({ queryKey: ['logs', 'outline', endpoint], queryFn: () => getOutline(endpoint) });

/** A list of entries begins with its first page, at once. Any other result comes as a whole, with what it cost. */
const partOf = ({ asked, outline }: { readonly asked: LogQuery; readonly outline: EndpointOutline }) =>
  hasPages(asked, outline) ? { part: pagePart() } : { cost: true };

/** The editor shows a fault that has a place. */
const isPlaced = (error: Error): boolean => error instanceof Problem && error.position !== null;
