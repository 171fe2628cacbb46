/**
 * A form that sends one command. It shows the server's errors at the fields that they name, and all others above the
 * form. What a failure has to say is brought into view: in a long form it may be far above the button.
 */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
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

/** Fields that were edited after a failure. */
interface Edited {
  readonly since: Error | null;
  readonly names: readonly string[];
}

/** The controls that show their errors: those of Field and SelectField. */
const SHOWS_ERRORS = ':is(.react-aria-Input, select)[name]';

export const Form = ({ children, onSubmit, problem, className = 'form' }: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [edited, setEdited] = useState<Edited>({ since: null, names: [] });
  const names = edited.since === problem ? edited.names : [];
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  // An error goes at once: one that went when the field loses the focus would move the button away from under the click.
  const noteEdit = ({ target }: FormEvent): void => {
    if (!(target instanceof Element)) return;
    // Makes the field judge its text by its own rule, as it does when it loses the focus.
    if (target.getAttribute('aria-invalid') === 'true') target.dispatchEvent(new Event('change'));
    const name = target.getAttribute('name');
    if (name !== null && !names.includes(name)) setEdited({ since: problem, names: [...names, name] });
  };
  const fields = controlsOf(form.current).map((control) => control.getAttribute('name'));
  const errors = problem instanceof Problem ? problem.errors : [];
  const shownAtFields = errors.filter(({ field }) => fields.includes(field));
  const isShownAtFields = errors.length > 0 && shownAtFields.length === errors.length;
  useEffect(() => {
    if (problem !== null) showFailure(form.current, problem instanceof Problem ? problem.errors : []);
  }, [problem]);
  return (
    <div className="around-form" onInput={noteEdit}>
      <AriaForm
        ref={form}
        className={className}
        onSubmit={submit}
        validationErrors={messagesByField(shownAtFields.filter(({ field }) => !names.includes(field)))}
      >
        {problem && !isShownAtFields && <ProblemNotice problem={problem} />}
        {children}
      </AriaForm>
    </div>
  );
};

type Errors = Problem['errors'];

const controlsOf = (form: HTMLFormElement | null): readonly HTMLElement[] => [
  ...(form?.querySelectorAll<HTMLElement>(SHOWS_ERRORS) ?? []),
];

/** Focuses the first field with an error. Without one, scrolls to the notice. */
const showFailure = (form: HTMLFormElement | null, errors: Errors): void => {
  const wrong = controlsOf(form).find((control) =>
    errors.some(({ field }) => field === control.getAttribute('name')),
  );
  if (wrong) wrong.focus();
  else form?.querySelector('.notice.problem')?.scrollIntoView({ block: 'nearest' });
};

/** The first error of each field, and how many more there are. */
const messagesByField = (errors: Errors): Readonly<Record<string, string>> =>
  Object.fromEntries(
    errors.map(({ field }) => {
      const [first, ...others] = errors.filter((error) => error.field === field);
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
      return [field, `${unnamed(field, first?.message ?? '')}${more}`];
    }),
  );

/** The label says which field it is. */
const unnamed = (field: string, message: string): string =>
  message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;

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
