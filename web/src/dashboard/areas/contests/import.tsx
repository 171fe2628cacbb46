/** Imports contests from a file, after a preview. */
import { Link } from 'wouter';
import type { ImportReportDto } from '../../../../../src/competition/exchange/exchange.dto.js';
import type { ImportPreview } from '../../../../../src/competition/exchange/importing/import.queries.js';
import type { ListChangeView } from '../../../../../src/competition/exchange/importing/list-comparison.js';
import { countText } from '../../../format.js';
import { Checkbox, SelectField } from '../../parts/field.js';
import { FileField, JSON_OR_CSV_FILE } from '../../parts/file-field.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { ContestPreviewSection, ImportAction, ImportDone } from './import-preview.js';
import { useFileImport } from './use-file-import.js';
import './contests.css';

interface Choices {
  readonly after: (typeof AFTER)[number]['value'];
  readonly replace: boolean;
  readonly overwriteList: boolean;
}

/** The state of the contest after the import. */
const AFTER = [
  { value: '', name: 'As it is; a new one by its dates' },
  { value: 'open', name: 'Ongoing, with open rounds' },
  { value: 'finish', name: 'Finished: rounds closed, API keys ended' },
] as const;

const queryOf = ({ after, replace, overwriteList }: Choices): string =>
  `open=${after === 'open'}&finish=${after === 'finish'}&replace=${replace}&overwriteList=${overwriteList}`;

/** Consent to finish a contest or to replace something holds for one file only. */
const FRESH: Choices = { after: '', replace: false, overwriteList: false };

export const Import = () => {
  const { choices, preview, importing, decide, choose, confirm } = useFileImport<
    Choices,
    ImportPreview,
    ImportReportDto
  >({ path: 'moderation/imports', queryOf, fresh: FRESH });
  const found = preview.data?.contests ?? [];
  const isReady = found.some(({ outcome }) => outcome === 'imported' || outcome === 'completed');
  return (
    <>
      <FileField
        label="A file: WCIF (.json) or a results table (.csv)"
        accept={JSON_OR_CSV_FILE}
        onChange={choose}
      />
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
      {(choices.overwriteList || found.some(({ competitors }) => competitors.some(isKept))) && (
        <Checkbox
          name="overwriteList"
          isSelected={choices.overwriteList}
          onChange={(overwriteList) => decide({ ...choices, overwriteList })}
        >
          Change the competitor list also where it was changed by hand since the last import
        </Checkbox>
      )}
      {preview.error && <ProblemNotice problem={preview.error} />}
      {importing.error && <ProblemNotice problem={importing.error} />}
      {preview.isPending && <Loading />}
      {importing.data ? (
        <ImportDone>
          <Report report={importing.data} />
        </ImportDone>
      ) : (
        <>
          {found.map((contest, index) => (
            <ContestPreviewSection key={contest.competitionId ?? index} contest={contest} />
          ))}
          {preview.data && (
            <ImportAction steps={{ preview, importing, confirm }} isReady={isReady}>
              Import
            </ImportAction>
          )}
        </>
      )}
    </>
  );
};

const isKept = ({ change }: ListChangeView): boolean => change === 'kept';

const DONE = {
  imported: 'imported',
  completed: 'completed from the file',
  unchanged: 'already complete',
};

const newPersonsText = (count: number): string =>
  count === 0 ? 'no new persons' : countText(count, 'new person');

const Report = ({ report }: { readonly report: ImportReportDto }) => (
  <>
    {report.contests.map(
      ({ competitionId, outcome, results, registered, list, endedKeys, faults, notes }) => (
        <Notice key={competitionId} kind={outcome === 'left-out' ? 'problem' : 'done'}>
          {outcome === 'left-out' ? (
            `${competitionId ?? 'The file'} is left out: ${faults[0]?.reason ?? ''}`
          ) : (
            <>
              <Link href={`/dashboard/contests/${competitionId}`}>{competitionId}</Link> is {DONE[outcome]}:{' '}
              {countText(results, 'result')}, {newPersonsText(registered)}.
              {list.added + list.changed + list.dropped > 0 &&
                ` Competitors: ${list.added} added, ${list.changed} changed, ${list.dropped} dropped.`}
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
      ),
    )}
  </>
);
