/** Dialogs above the page, which the user must close before going on. Escape and the button close them. */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.js';
import { ProblemNotice } from './notice.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Asks for a decision: a screen reader announces it as an alert, and a click beside it does not close it. */
  readonly isAlert?: boolean;
  /** A click beside it does not close it, because it has content that would be lost. */
  readonly ignoresClicksOutside?: boolean;
  /** Escape does not close it either. */
  readonly ignoresEscape?: boolean;
}

export const Dialog = ({
  title,
  onClose,
  children,
  isAlert = false,
  ignoresClicksOutside = false,
  ignoresEscape = false,
}: DialogProps) => (
  <ModalOverlay
    className="overlay"
    isOpen
    isDismissable={!isAlert && !ignoresClicksOutside}
    isKeyboardDismissDisabled={ignoresEscape}
    onOpenChange={(isOpen) => {
      if (!isOpen) onClose();
    }}
  >
    <Modal className="modal">
      <AriaDialog className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
        <Heading slot="title">{title}</Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);

/** The only button of a dialog that shows something. */
export const DoneAction = ({ onPress }: { readonly onPress: () => void }) => (
  <div className="actions">
    <Button isMain onPress={onPress}>
      Done
    </Button>
  </div>
);

interface QuestionProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The text of the button that confirms. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly onClose: () => void;
}

interface ConfirmProps extends QuestionProps {
  readonly isPending?: boolean;
  /** The user cannot confirm yet: something has to load or to be typed first. */
  readonly isIncomplete?: boolean;
  readonly problem?: Error | null;
  readonly onConfirm: () => void;
}

/** A question with two answers. The focus starts on Cancel. */
export const Confirm = ({
  title,
  children,
  action,
  isDanger = false,
  isPending = false,
  isIncomplete = false,
  problem = null,
  onConfirm,
  onClose,
}: ConfirmProps) => (
  <Dialog title={title} onClose={onClose} isAlert>
    {problem && <ProblemNotice problem={problem} />}
    {children}
    <div className="actions">
      <Button onPress={onClose} autoFocus>
        Cancel
      </Button>
      <Button isMain isDanger={isDanger} isDisabled={isIncomplete} isPending={isPending} onPress={onConfirm}>
        {action}
      </Button>
    </div>
  </Dialog>
);

interface ConfirmCommandProps extends QuestionProps {
  readonly command: () => Promise<unknown>;
  /** Called after the command succeeded. */
  readonly onDone: () => unknown;
}

/** Asks, and sends a command when the user confirms. When the server refuses it, the dialog stays open and says why. */
export const ConfirmCommand = ({ command, onDone, ...question }: ConfirmCommandProps) => {
  const { mutate, error, isPending } = useMutation({ mutationFn: command, onSuccess: () => onDone() });
  return <Confirm {...question} isPending={isPending} problem={error} onConfirm={() => mutate()} />;
};
