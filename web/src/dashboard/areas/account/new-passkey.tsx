/** Adds a passkey of this device, of a phone nearby or of a security key, as the browser offers them. */
import { useMutation } from '@tanstack/react-query';
import { deviceNameOf } from '../../../../../src/accounts/device.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { addPasskey } from '../../passkey.js';

export interface NewFactorProps {
  /** `codes`: the recovery codes that came with it, or null. */
  readonly onAdded: (codes: readonly string[] | null) => void;
  readonly onClose: () => void;
}

export const NewPasskey = ({ onAdded, onClose }: NewFactorProps) => {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) => addPasskey(fieldText(fields, 'name')),
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  return (
    <Dialog title="Add a passkey" onClose={onClose} ignoresClicksOutside>
      <p>A passkey signs in by fingerprint, face or PIN, without the password.</p>
      <Form onSubmit={mutate} problem={error}>
        <Field
          name="name"
          label="Name"
          help="So that you know it among others"
          defaultValue={deviceNameOf(navigator.userAgent)}
          isRequired
          autoFocus
          maxLength={100}
        />
        <FormActions action="Add it" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
