/** Buttons: one main thing a form does, and quieter ones beside it. */
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  /** What it does is under way: it says so and cannot be pressed twice. */
  readonly isPending?: boolean;
  /** No border: what is seldom wanted. */
  readonly isQuiet?: boolean;
  /** Removes or ends something for good. */
  readonly isDanger?: boolean;
  readonly isMain?: boolean;
  /** Where the text alone does not say of what. */
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

/** Sends its form. While that is under way it says so and cannot be pressed twice. */
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
