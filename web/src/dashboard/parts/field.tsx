/**
 * Fields of forms: a label, the control, what helps to fill it in, and what is wrong with it, from the form (by name, as
 * the API's problem document gives it) or from the field's own rule.
 */
import type { ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly help?: ReactNode;
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date' | 'url';
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'search';
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** More than one makes it a text of many lines. */
  readonly rows?: number;
  /** What is wrong, where the form itself has found it; null: nothing. */
  readonly validate?: (value: string) => string | null;
}

export const Field = ({ label, help, rows = 1, placeholder = '', ...field }: FieldProps) => (
  <TextField className="field" {...field}>
    <Label>{label}</Label>
    {rows > 1 ? <TextArea rows={rows} placeholder={placeholder} /> : <Input placeholder={placeholder} />}
    {help !== undefined && (
      <Text slot="description" className="help">
        {help}
      </Text>
    )}
    <FieldError className="wrong" />
  </TextField>
);

export interface Choice {
  readonly value: string;
  readonly name: string;
}

/** One of a few: the browser's own list, which every phone and keyboard knows. */
export const SelectField = ({
  label,
  name,
  choices,
  value,
  defaultValue,
  onChange,
  isDisabled = false,
  help,
}: {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  readonly isDisabled?: boolean;
  readonly help?: ReactNode;
}) => (
  <div className="field">
    <label>
      <span>{label}</span>
      <select
        name={name}
        value={value}
        defaultValue={defaultValue}
        disabled={isDisabled}
        {...(onChange && { onChange: (event) => onChange(event.currentTarget.value) })}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
    {help !== undefined && <span className="help">{help}</span>}
  </div>
);

export const Checkbox = ({
  name,
  children,
  ...rest
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly value?: string;
  readonly isSelected?: boolean;
  readonly defaultSelected?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange?: (isSelected: boolean) => void;
}) => (
  <AriaCheckbox className="checkbox" name={name} {...rest}>
    <span className="box" aria-hidden="true">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M3 8.500l3.500 3.500L13 5" />
      </svg>
    </span>
    {children}
  </AriaCheckbox>
);
