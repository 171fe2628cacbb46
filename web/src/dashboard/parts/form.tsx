/**
 * A form that sends one command: it hands over its fields, shows what the server refuses at the field that it names, and
 * above the form what concerns none of its fields.
 */
import { type FormEvent, type ReactNode, useRef } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import { Problem } from '../api.js';
import { Button, SubmitButton } from './button.js';
import { ProblemNotice } from './notice.js';

interface FormProps {
  readonly children: ReactNode;
  /** Called with the fields as they are; what the browser itself finds wrong is told before. */
  readonly onSubmit: (fields: FormData) => void;
  /** Of the last attempt. */
  readonly problem: Error | null;
  readonly className?: string;
}

export const Form = ({ children, onSubmit, problem, className = 'form' }: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  const names = new Set([...(form.current?.elements ?? [])].map((control) => control.getAttribute('name')));
  const errors = problem instanceof Problem ? problem.errors : [];
  const shownAtFields = errors.filter(({ field }) => names.has(field));
  const isShownAtFields = errors.length > 0 && shownAtFields.length === errors.length;
  return (
    <AriaForm
      ref={form}
      className={className}
      onSubmit={submit}
      validationErrors={Object.fromEntries(shownAtFields.map(({ field, message }) => [field, message]))}
    >
      {problem && !isShownAtFields && <ProblemNotice problem={problem} />}
      {children}
    </AriaForm>
  );
};

/** The end of a form in a dialog: leave it, or send it. */
export const FormActions = ({
  action,
  isPending,
  onClose,
}: {
  readonly action: string;
  readonly isPending: boolean;
  readonly onClose: () => void;
}) => (
  <div className="actions">
    <Button onPress={onClose}>Cancel</Button>
    <SubmitButton isPending={isPending}>{action}</SubmitButton>
  </div>
);

/** The text of a field, without the spaces around it; empty where there is no such field. */
export const fieldText = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
};
