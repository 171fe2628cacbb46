/** Shows the secrets that sign messages, which is possible only once. */
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog, DoneAction } from '../../parts/dialog.js';
import { Notice } from '../../parts/notice.js';

interface SecretsDialogProps {
  readonly title: string;
  readonly secrets: readonly { readonly url: string; readonly secret: string }[];
  readonly onClose: () => void;
}

export const SecretsDialog = ({ title, secrets, onClose }: SecretsDialogProps) => (
  <Dialog title={title} onClose={onClose} ignoresClicksOutside>
    <Notice kind="info">
      They are shown only once. A receiver checks with its secret that a message is ours.
    </Notice>
    {secrets.map(({ url, secret }) => (
      <div key={url}>
        <p>{url}</p>
        <code className="secret">{secret}</code>
        <CopyButton what="secret" text={() => secret}>
          Copy the secret
        </CopyButton>
      </div>
    ))}
    <DoneAction onPress={onClose} />
  </Dialog>
);
