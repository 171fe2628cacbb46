/** A field for a file. Choosing one is the whole input: the file is read at once. */
import type { ChangeEvent } from 'react';

interface FileFieldProps {
  readonly label: string;
  /** The file name endings and media types that it offers, as in HTML. */
  readonly accept: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => Promise<void>;
}

export const WCIF_FILE = '.json,application/json';
export const WCIF_OR_CSV_FILE = '.json,.csv,application/json,text/csv';

export const FileField = ({ label, accept, onChange }: FileFieldProps) => (
  <div className="field file">
    <label>
      <span>{label}</span>
      <input type="file" accept={accept} onChange={(event) => void onChange(event)} />
    </label>
  </div>
);
