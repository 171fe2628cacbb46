/** Sets up an authenticator app: it scans the QR code, and its first code proves that it has. */
import { useMutation } from '@tanstack/react-query';
import type { AddedFactorDto, NewAuthenticatorDto } from '../../../../../src/accounts/factors/factors.dto.js';
import { QrCode } from '../../../components/qr-code.js';
import { send } from '../../api.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import type { NewFactorProps } from './new-passkey.js';

interface NewAuthenticatorProps extends NewFactorProps {
  readonly made: NewAuthenticatorDto;
}

export const NewAuthenticator = ({ made: { secret, uri }, onAdded, onClose }: NewAuthenticatorProps) => {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) =>
      send<AddedFactorDto>('PUT', '/api/session/factors/authenticator', { code: fieldText(fields, 'code') }),
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  return (
    <Dialog title="Set up an authenticator app" onClose={onClose} ignoresClicksOutside>
      <p>Scan this code with the app, or type the key into it. Then type the six digits that it shows.</p>
      <QrCode text={uri} label="QR code for the authenticator app" />
      <p>
        <code className="secret">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Form onSubmit={mutate} problem={error}>
        <Field
          name="code"
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
          autoFocus
          maxLength={10}
        />
        <FormActions action="Set it up" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
