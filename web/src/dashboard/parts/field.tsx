/**
 * Form fields: a label, the control, a help text, and the error. The error comes from the field's own rule or, by the
 * field's name, from the API's problem document.
 */
import { type ReactNode, useContext, useId } from 'react';
import {
  Checkbox as AriaCheckbox,
  FieldError,
  FormValidationContext,
  Input,
  Label,
  Text,
  TextField,
} from 'react-aria-components';
import { type Option, Options } from '../../components/options.js';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly help?: ReactNode;
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'time';
  readonly autoComplete?: string;
  readonly inputMode?: 'numeric';
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** Values that the browser proposes; others may be typed. */
  readonly choices?: readonly Option[];

  /** The field's own rule. Returns the error, or null when the value is valid. */
  readonly validate?: (value: string) => string | null;
}

export const Field = ({ label, help, placeholder = '', choices, ...field }: FieldProps) => (
  <TextField className="field" {...field}>
    <Label>{label}</Label>
    <Input placeholder={placeholder} {...(choices && { list: `${field.name}-choices` })} />
    {choices && (
      <datalist id={`${field.name}-choices`}>
        <Options options={choices} />
      </datalist>
    )}
    {help !== undefined && (
      <Text slot="description" className="help">
        {help}
      </Text>
    )}
    <FieldError className="wrong" />
  </TextField>
);

/** A native select, because it works well on every phone and keyboard. */
export const SelectField = ({
  label,
  name,
  choices,
  value,
  defaultValue,
  onChange,
  autoFocus = false,
}: {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly Option[];
  readonly autoFocus?: boolean;
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
}) => {
  const errorId = useId();
  const error = useContext(FormValidationContext)[name];
  return (
    <div className="field">
      <label>
        <span>{label}</span>
        <select
          name={name}
          value={value}
          defaultValue={defaultValue}
          {...(autoFocus && { autoFocus })}
          {...(onChange && { onChange: (event) => onChange(event.currentTarget.value) })}
          {...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': errorId })}
        >
          <Options options={choices} />
        </select>
      </label>
      {error !== undefined && (
        <span id={errorId} className="wrong">
          {error}
        </span>
      )}
    </div>
  );
};

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
