/** Saves a filter of LQL: a new one, or the text of one that is there. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedFilterView } from '../../../../../src/logs/saved-filters/saved-filter.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { FILTERS_KEY, filterTitle, useSavedFilters } from './filters.js';
import { saveFilter } from './requests.js';

/** Without a name: a new one. `project` null: it is for all. */
export type FilterDraft = Pick<SavedFilterView, 'lql' | 'project'> & Partial<SavedFilterView>;

/** Not inside the form of a query, which would run it with each submit. */
export const FilterDialog = ({
  draft,
  onClose,
}: {
  readonly draft: FilterDraft;
  readonly onClose: () => void;
}) => {
  const client = useQueryClient();
  const { data: saved = [] } = useSavedFilters();
  const [name, setName] = useState('');
  const [project, setProject] = useState(draft.project ?? '');
  const taken = saved.find((one) => one.name === name && (one.project ?? '') === project.trim());
  const saving = useMutation({
    mutationFn: (fields: FormData) => {
      const of = project.trim() === '' ? null : project.trim();
      // Null: it replaces none, also none that was made meanwhile.
      const revision = (draft.name === undefined ? taken?.revision : draft.revision) ?? null;
      return saveFilter(draft.name ?? name, { lql: fieldText(fields, 'lql'), project: of, revision });
    },
    // Also after a refusal: another user may have changed it.
    onSettled: () => client.invalidateQueries({ queryKey: FILTERS_KEY }),
    onSuccess: onClose,
  });
  return (
    <Dialog
      title={
        draft.name === undefined ? 'Save a filter' : `Change ${filterTitle({ ...draft, name: draft.name })}`
      }
      onClose={onClose}
      ignoresClicksOutside
    >
      <Form onSubmit={saving.mutate} problem={saving.error}>
        {draft.name === undefined && (
          <>
            <Field
              name="name"
              label="Name"
              value={name}
              onChange={setName}
              isRequired
              autoFocus
              maxLength={63}
              autoComplete="off"
              help={
                taken
                  ? 'A filter has this name. This one replaces it.'
                  : 'Letters, digits, _ and - such as failed: queries then name it as saved:failed.'
              }
            />
            <Field
              name="project"
              label="Project"
              value={project}
              onChange={setProject}
              help="The only project whose queries find it; empty: all"
              autoComplete="off"
            />
          </>
        )}
        <Field
          name="lql"
          label="Filter in LQL"
          defaultValue={draft.lql}
          help="Without a table, columns and aggregates"
          isRequired
          autoComplete="off"
        />
        <FormActions action={taken ? 'Replace it' : 'Save'} isPending={saving.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
