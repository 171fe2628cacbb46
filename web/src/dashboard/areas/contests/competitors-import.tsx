/** Brings the competitor list up to date with a CSV, or with the registrations of a WCIF, after a preview. */
import { Link } from 'wouter';
import type {
  CompetitorsPreview,
  CompetitorsReport,
} from '../../../../../src/competition/exchange/importing/competitor-import.js';
import { countText } from '../../../format.js';
import { Checkbox } from '../../parts/field.js';
import { FileField, JSON_OR_CSV_FILE } from '../../parts/file-field.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { Faults, ImportAction, ImportDone, Persons } from './import-preview.js';
import { ListChanges } from './list-changes.js';
import { useFileImport } from './use-file-import.js';

export const CompetitorsImport = ({ competitionId }: { readonly competitionId: string }) => {
  const { choices, preview, importing, decide, choose, confirm } = useFileImport<
    { readonly overwrite: boolean },
    CompetitorsPreview,
    Omit<CompetitorsReport, 'position'>
  >({
    path: `moderation/contests/${competitionId}/competitors/import`,
    queryOf: ({ overwrite }) => `overwrite=${overwrite}`,
    fresh: { overwrite: false },
  });
  const found = preview.data;
  const listChanges = found?.competitors.filter(({ change }) => change !== 'kept').length ?? 0;
  const changes = listChanges + (found?.personalBests ?? 0);
  return (
    <>
      <p className="way-back">
        <Link href={`/dashboard/contests/${competitionId}/competitors`}>Competitors</Link>
      </p>
      <h2>Import competitors</h2>
      <p className="quiet">
        From a WCIF of this contest, its accepted registrations and their personal bests. From a CSV with a
        header: <code>name</code> and <code>events</code> (event ids joined by spaces), and if you have them{' '}
        <code>number</code>, <code>assocId</code>, <code>personId</code>, <code>localizedName</code>,{' '}
        <code>region</code>, <code>state</code>. Who is not in the file is dropped. A preview shows first what
        would change.
      </p>
      <FileField label="A file: CSV (.csv) or WCIF (.json)" accept={JSON_OR_CSV_FILE} onChange={choose} />
      {found && (choices.overwrite || found.competitors.some(({ change }) => change === 'kept')) && (
        <Checkbox
          name="overwrite"
          isSelected={choices.overwrite}
          onChange={(overwrite) => decide({ overwrite })}
        >
          Also where the list was changed by hand since the last import
        </Checkbox>
      )}
      {preview.error && <ProblemNotice problem={preview.error} />}
      {importing.error && <ProblemNotice problem={importing.error} />}
      {preview.isPending && <Loading />}
      {importing.data ? (
        <ImportDone>
          <Notice kind="done">
            {reportText(importing.data)}{' '}
            <Link href={`/dashboard/contests/${competitionId}/competitors`}>Show the list</Link>
          </Notice>
        </ImportDone>
      ) : (
        found && (
          <section className="preview" aria-label="Preview">
            <Faults title="Why the file is not imported" faults={found.faults} isBad />
            <ListChanges {...found} />
            {found.personalBests > 0 && (
              <p>Personal bests of {countText(found.personalBests, 'competitor')} are new.</p>
            )}
            {found.persons.length > 0 && <Persons persons={found.persons} />}
            <Faults title="Notes on the file" faults={found.notes} />
            <ImportAction steps={{ preview, importing, confirm }} isReady={changes > 0}>
              {found.faults.length === 0 && changes === 0 ? 'Nothing to import' : 'Import'}
            </ImportAction>
          </section>
        )
      )}
    </>
  );
};

const reportText = (report: Omit<CompetitorsReport, 'position'>): string => {
  const { added, changed, dropped, registered, personalBests } = report;
  const persons = registered === 0 ? '' : ` ${countText(registered, 'new person')}.`;
  const bests = personalBests === 0 ? '' : ` Personal bests of ${countText(personalBests, 'competitor')}.`;
  return `${added} added, ${changed} changed, ${dropped} dropped.${persons}${bests}`;
};
