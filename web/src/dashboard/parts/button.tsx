/** Buttons: one main button for what a form or page does, and less prominent ones beside it. */
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  /** Its action is running: it shows a spinner and cannot be pressed again. */
  readonly isPending?: boolean;
  /** Without a border, for actions that are seldom used. */
  readonly isQuiet?: boolean;
  /** Its action cannot be undone. */
  readonly isDanger?: boolean;
  readonly isMain?: boolean;
  /** For screen readers, when the text alone is ambiguous. */
  readonly label?: string;
  readonly autoFocus?: boolean;
}

export const Button = ({ children, label, isQuiet, isDanger, isMain, ...rest }: ButtonProps) => {
  const kinds = [isQuiet && 'quiet', isDanger && 'danger', isMain && 'main'].filter(Boolean);
  return (
    <AriaButton className={['button', ...kinds].join(' ')} {...(label && { 'aria-label': label })} {...rest}>
      {children}
      {rest.isPending && <Spinner />}
    </AriaButton>
  );
};

const Spinner = () => <span className="spinner" role="progressbar" aria-label="Under way" />;

/** Submits its form. While the request runs it shows a spinner and cannot be pressed again. */
export const SubmitButton = ({
  children,
  isPending,
}: {
  readonly children: ReactNode;
  readonly isPending: boolean;
}) => (
  <AriaButton type="submit" className="button main" isPending={isPending}>
    {children}
    {isPending && <Spinner />}
  </AriaButton>
);
