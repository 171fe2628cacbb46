/** Shows a new key, which is possible only once: to copy, as a curl line, and as a QR code for a device's camera. */
import { useAccount } from '../../account.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';
import { QrCode } from '../../parts/qr-code.js';
import { curlLine, qrText } from './hand-over.js';

interface IssuedKeyProps {
  readonly device: string;
  readonly competitionId: string;
  readonly apiKey: string;
  readonly onClose: () => void;
}

export const IssuedKey = ({ device, competitionId, apiKey, onClose }: IssuedKeyProps) => {
  const { spaceId } = useAccount();
  const handOver = { url: location.origin, spaceId, competitionId, key: apiKey };
  return (
    <Dialog title={`Key for ${device}`} onClose={onClose} ignoresClicksOutside>
      <p>
        The key is shown only once. Anyone with the key can enter attempts into this contest, until you revoke
        it or the contest ends.
      </p>
      <h3>API key</h3>
      <pre className="secret">{apiKey}</pre>
      <CopyButton what="API key" text={() => apiKey}>
        Copy the key
      </CopyButton>
      <h3>Try it in a terminal</h3>
      <pre className="secret">{curlLine(handOver)}</pre>
      <CopyButton what="curl line" text={() => curlLine(handOver)}>
        Copy the line
      </CopyButton>
      <QrCode text={qrText(handOver)} label={`QR code with server, contest and key for ${device}`} />
      <div className="actions">
        <Button isMain onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
};
