/**
 * The import of a file in two steps: the user chooses it, sees a preview, and confirms exactly that preview. If the import would do
 * something else by then, the server refuses it, and a new preview is made.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { useApiPath } from '../../account.js';
import { Problem, sendFile } from '../../api.js';

interface ChosenFile {
  readonly name: string;
  readonly type: 'application/json' | 'text/csv';
  readonly bytes: ArrayBuffer;
}

interface FileImport<Choices> {
  /** The API's path of the import, after the space; that of the preview is `/preview` below it. */
  readonly path: string;
  readonly queryOf: (choices: Choices) => string;
  /** Before the user has chosen anything. */
  readonly fresh: Choices;
}

export const useFileImport = <Choices, Preview extends { readonly fingerprint: string }, Report>({
  path,
  queryOf,
  fresh,
}: FileImport<Choices>) => {
  const base = useApiPath()(path);
  const client = useQueryClient();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [choices, setChoices] = useState(fresh);
  const preview = useMutation({
    mutationFn: ({ chosen, given }: { readonly chosen: ChosenFile; readonly given: Choices }) =>
      sendFile<Preview>(`${base}/preview?${queryOf(given)}`, chosen),
  });
  const importing = useMutation({
    mutationFn: ({ chosen, fingerprint }: { readonly chosen: ChosenFile; readonly fingerprint: string }) =>
      sendFile<Report>(`${base}?${queryOf(choices)}&preview=${encodeURIComponent(fingerprint)}`, chosen),
    onSuccess: () => client.invalidateQueries(),
    onError: (error) => {
      if (error instanceof Problem && error.code === 'import-changed' && file)
        preview.mutate({ chosen: file, given: choices });
    },
  });
  const showPreview = (chosen: ChosenFile, given: Choices): void => {
    importing.reset();
    preview.mutate({ chosen, given });
  };
  return {
    choices,
    preview,
    importing,
    decide: (given: Choices): void => {
      setChoices(given);
      if (file) showPreview(file, given);
    },
    choose: async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
      const [picked] = event.target.files ?? [];
      if (!picked) return;
      const type = /\.csv$/i.test(picked.name) ? 'text/csv' : 'application/json';
      const chosen: ChosenFile = { name: picked.name, type, bytes: await picked.arrayBuffer() };
      setFile(chosen);
      // What the user agreed to holds for one file only.
      setChoices(fresh);
      showPreview(chosen, fresh);
    },
    /** Imports what the preview shows. */
    confirm: (): void => {
      if (file && preview.data) importing.mutate({ chosen: file, fingerprint: preview.data.fingerprint });
    },
  };
};
