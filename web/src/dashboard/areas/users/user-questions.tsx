/** The questions before an account gets a new password or loses its second factor, and the password that is shown once. */
import { useMutation } from '@tanstack/react-query';
import type { Account } from '../../../../../src/foundation/operational/account.js';
import { useApiPath } from '../../account.js';
import { send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { Confirm, ConfirmCommand, Dialog } from '../../parts/dialog.js';

interface QuestionProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export const ResetPassword = ({ account, onClose }: QuestionProps) => {
  const api = useApiPath();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      send<{ readonly password: string }>('POST', api(`moderation/users/${account.accountId}/password`)),
  });
  if (data) {
    return (
      <Dialog title={`New password for ${account.name}`} onClose={onClose} ignoresClicksOutside>
        <OneTimePassword email={account.email} password={data.password} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Confirm
      title={`A new password for ${account.name}?`}
      action="Create a new password"
      isPending={isPending}
      problem={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        This signs the user out everywhere. They can sign in with the new password, which you give to them.
      </p>
    </Confirm>
  );
};

export const ResetFactors = ({ account, onClose }: QuestionProps) => {
  const api = useApiPath();
  return (
    <ConfirmCommand
      title={`Reset the second factor of ${account.name}?`}
      action="Reset"
      isDanger
      command={() => send('DELETE', api(`moderation/users/${account.accountId}/factors`))}
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        For a user who has lost their device. This removes their passkeys, authenticator app and recovery
        codes, and signs them out everywhere. The password alone signs in until they add another.
      </p>
    </ConfirmCommand>
  );
};

export const OneTimePassword = ({
  email,
  password,
  onClose,
}: {
  readonly email: string;
  readonly password: string;
  readonly onClose: () => void;
}) => (
  <>
    <p>
      Give this password to <strong>{email}</strong>. It is shown only once and ends after 24 hours. They
      choose their own password when they first sign in.
    </p>
    <code className="secret">{password}</code>
    <div className="actions">
      <Button isMain onPress={onClose} autoFocus>
        Done
      </Button>
    </div>
  </>
);
