/** Shows new recovery codes, which is possible only once. */
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';

export const RecoveryCodes = ({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) => {
  const text = codes.join('\n');
  return (
    <Dialog title="Your recovery codes" onClose={onClose} ignoresClicksOutside ignoresEscape>
      <p>
        Print or write them down: they are shown only once. If you lose your device, each of them signs you in
        once, after your password.
      </p>
      <pre className="secret">{text}</pre>
      <CopyButton what="list of codes" text={() => text}>
        Copy the codes
      </CopyButton>
      <div className="actions">
        <Button isMain onPress={onClose}>
          I have them
        </Button>
      </div>
    </Dialog>
  );
};
