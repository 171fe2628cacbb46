/**
 * A form that sends one command. It shows the server's errors at the fields that they name, and all others above the
 * form.
 */
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import { Problem } from '../api.js';
import { Button, SubmitButton } from './button.js';
import { ProblemNotice } from './notice.js';

interface FormProps {
  readonly children: ReactNode;
  /** Called when the fields pass the browser's own validation. */
  readonly onSubmit: (fields: FormData) => void;
  /** The failure of the last submit. */
  readonly problem: Error | null;
  readonly className?: string;
}

/**
 * Fields that were edited after a failure. Their errors go at once: one that went when the field loses the focus would move the
 * button away from under the click.
 */
interface Edited {
  readonly since: Error | null;
  readonly names: readonly string[];
}

export const Form = ({ children, onSubmit, problem, className = 'form' }: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [edited, setEdited] = useState<Edited>({ since: null, names: [] });
  const names = edited.since === problem ? edited.names : [];
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  const noteEdit = ({ target }: FormEvent): void => {
    const name = target instanceof Element ? target.getAttribute('name') : null;
    if (name !== null && !names.includes(name)) setEdited({ since: problem, names: [...names, name] });
  };
  const fields = new Set([...(form.current?.elements ?? [])].map((control) => control.getAttribute('name')));
  const errors = problem instanceof Problem ? problem.errors : [];
  const shownAtFields = errors.filter(({ field }) => fields.has(field));
  const isShownAtFields = errors.length > 0 && shownAtFields.length === errors.length;
  return (
    <div className="around-form" onInput={noteEdit}>
      <AriaForm
        ref={form}
        className={className}
        onSubmit={submit}
        validationErrors={Object.fromEntries(
          shownAtFields
            .filter(({ field }) => !names.includes(field))
            .map(({ field, message }) => [field, message]),
        )}
      >
        {problem && !isShownAtFields && <ProblemNotice problem={problem} />}
        {children}
      </AriaForm>
    </div>
  );
};

/** The buttons of a form in a dialog. */
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

/** The trimmed text of a field. Empty when the form has no such field. */
export const fieldText = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
};
