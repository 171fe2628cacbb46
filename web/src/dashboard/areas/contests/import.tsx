/**
 * Imports contests from a file: the user chooses it, sees a preview, and confirms exactly that preview. If the import would do
 * something else by then, the server refuses it and the page shows a new preview.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { Link } from 'wouter';
import type { ImportReportDto } from '../../../../../src/competition/exchange/exchange.dto.js';
import type { ImportPreview } from '../../../../../src/competition/exchange/importing/import.queries.js';
import { countText } from '../../../format.js';
import { useApiPath } from '../../account.js';
import { Problem, sendFile } from '../../api.js';
import { Button } from '../../parts/button.js';
import { Checkbox, SelectField } from '../../parts/field.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { ContestPreviewSection } from './import-preview.js';
import './contests.css';

interface ChosenFile {
  readonly name: string;
  readonly type: 'application/json' | 'text/csv';
  readonly text: string;
}

interface Choices {
  readonly after: (typeof AFTER)[number]['value'];
  readonly replace: boolean;
}

/** The state of the contest after the import. */
const AFTER = [
  { value: '', name: 'As it is; a new one by its dates' },
  { value: 'open', name: 'Ongoing, with open rounds' },
  { value: 'finish', name: 'Finished: rounds closed, API keys ended' },
] as const;

const queryOf = ({ after, replace }: Choices): string =>
  `open=${after === 'open'}&finish=${after === 'finish'}&replace=${replace}`;

export const Import = () => {
  const path = useApiPath();
  const client = useQueryClient();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [choices, setChoices] = useState<Choices>({ after: '', replace: false });
  const preview = useMutation({
    mutationFn: ({ chosen, ...given }: Choices & { readonly chosen: ChosenFile }) =>
      sendFile<ImportPreview>(path(`moderation/imports/preview?${queryOf(given)}`), chosen),
  });
  const importing = useMutation({
    mutationFn: ({ chosen, fingerprint }: { readonly chosen: ChosenFile; readonly fingerprint: string }) =>
      sendFile<ImportReportDto>(
        path(`moderation/imports?${queryOf(choices)}&preview=${encodeURIComponent(fingerprint)}`),
        chosen,
      ),
    onSuccess: () => client.invalidateQueries(),
    onError: (error) => {
      if (error instanceof Problem && error.code === 'import-changed' && file)
        preview.mutate({ chosen: file, ...choices });
    },
  });
  const showPreview = (chosen: ChosenFile, given: Choices): void => {
    importing.reset();
    preview.mutate({ chosen, ...given });
  };
  const decide = (given: Choices): void => {
    setChoices(given);
    if (file) showPreview(file, given);
  };
  const choose = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [picked] = event.target.files ?? [];
    if (!picked) return;
    const type = /\.csv$/i.test(picked.name) ? 'text/csv' : 'application/json';
    const chosen: ChosenFile = { name: picked.name, type, text: await picked.text() };
    setFile(chosen);
    // Consent to finish a contest or to replace results holds for one file only.
    const fresh: Choices = { after: '', replace: false };
    setChoices(fresh);
    showPreview(chosen, fresh);
  };
  const found = preview.data?.contests ?? [];
  const isReady = found.some(({ outcome }) => outcome === 'imported' || outcome === 'completed');
  return (
    <>
      <div className="field file">
        <label>
          <span>A file: WCIF (.json) or a results table (.csv)</span>
          <input
            type="file"
            accept=".json,.csv,application/json,text/csv"
            onChange={(event) => void choose(event)}
          />
        </label>
      </div>
      <div className="file">
        <SelectField
          name="after"
          label="The contest after the import"
          choices={AFTER}
          value={choices.after}
          onChange={(value) =>
            decide({ ...choices, after: AFTER.find((choice) => choice.value === value)?.value ?? '' })
          }
        />
      </div>
      {(choices.replace || found.some(({ replaceable }) => replaceable)) && (
        <Checkbox
          name="replace"
          isSelected={choices.replace}
          onChange={(replace) => decide({ ...choices, replace })}
        >
          Replace the results that differ by those of the file; results that are not in the file stay
        </Checkbox>
      )}
      {preview.error && <ProblemNotice problem={preview.error} />}
      {importing.error && <ProblemNotice problem={importing.error} />}
      {preview.isPending && <Loading />}
      {importing.data ? (
        <Report report={importing.data} />
      ) : (
        <>
          {found.map((contest, index) => (
            <ContestPreviewSection key={contest.competitionId ?? index} contest={contest} />
          ))}
          {preview.data && file && (
            <div className="actions">
              <Button
                isMain
                isDisabled={!isReady || preview.isPending}
                isPending={importing.isPending}
                onPress={() => importing.mutate({ chosen: file, fingerprint: preview.data.fingerprint })}
              >
                Import
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
};

const DONE = {
  imported: 'imported',
  completed: 'completed from the file',
  unchanged: 'already complete',
};

const newPersonsText = (count: number): string =>
  count === 0 ? 'no new persons' : countText(count, 'new person');

const Report = ({ report }: { readonly report: ImportReportDto }) => (
  <>
    {report.contests.map(({ competitionId, outcome, results, registered, endedKeys, faults, notes }) => (
      <Notice key={competitionId} kind={outcome === 'left-out' ? 'problem' : 'done'}>
        {outcome === 'left-out' ? (
          `${competitionId ?? 'The file'} is left out: ${faults[0]?.reason ?? ''}`
        ) : (
          <>
            <Link href={`/dashboard/contests/${competitionId}`}>{competitionId}</Link> is {DONE[outcome]}:{' '}
            {countText(results, 'result')}, {newPersonsText(registered)}.
            {endedKeys.length > 0 && ` ${countText(endedKeys.length, 'API key')} ended.`}
            {notes.length > 0 && (
              <ul>
                {notes.map(({ line, column, reason }) => (
                  <li key={`${line} ${column} ${reason}`}>{reason}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </Notice>
    ))}
  </>
);
