/** What has to be answered before anything else goes on, above the page. Escape and the button lead back. */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.js';
import { ProblemNotice } from './notice.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Asks before something that cannot be taken back. */
  readonly isAlert?: boolean;
  /** What a click beside it would lose. */
  readonly keepsOpen?: boolean;
  /** There is no way around it, Escape neither. */
  readonly staysOpen?: boolean;
}

export const Dialog = ({
  title,
  onClose,
  children,
  isAlert = false,
  keepsOpen = false,
  staysOpen = false,
}: DialogProps) => (
  <ModalOverlay
    className="overlay"
    isOpen
    isDismissable={!isAlert && !keepsOpen}
    isKeyboardDismissDisabled={staysOpen}
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

interface QuestionProps {
  readonly title: string;
  readonly children: ReactNode;
  /** On the button: what will be done. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly onClose: () => void;
}

interface ConfirmProps extends QuestionProps {
  readonly isPending?: boolean;
  /** Something is still to be known or typed before it can be done. */
  readonly isUnsure?: boolean;
  readonly problem?: Error | null;
  readonly onConfirm: () => void;
}

/** A question with two answers. The one that does it says what it does, and never begins with the focus. */
export const Confirm = ({
  title,
  children,
  action,
  isDanger = false,
  isPending = false,
  isUnsure = false,
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
      <Button isMain isDanger={isDanger} isDisabled={isUnsure} isPending={isPending} onPress={onConfirm}>
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

/** Asks, and sends a command when the answer is yes. When the server refuses it, the dialog stays open and says why. */
export const ConfirmCommand = ({ command, onDone, ...question }: ConfirmCommandProps) => {
  const { mutate, error, isPending } = useMutation({ mutationFn: command, onSuccess: () => onDone() });
  return <Confirm {...question} isPending={isPending} problem={error} onConfirm={() => mutate()} />;
};
