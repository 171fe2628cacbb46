/** A key in the one moment in which it can be seen: to copy, as a line for a terminal, and as a code for a device's camera. */
import { useAccount } from '../../account.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';
import { curlLine, qrText } from './hand-over.js';
import { QrCode } from './qr-code.js';

interface IssuedKeyProps {
  readonly device: string;
  readonly competitionId: string;
  readonly apiKey: string;
  readonly onClose: () => void;
}

export const IssuedKey = ({ device, competitionId, apiKey, onClose }: IssuedKeyProps) => {
  const { spaceId } = useAccount();
  const handed = { url: location.origin, spaceId, competitionId, key: apiKey };
  return (
    <Dialog title={`Key for ${device}`} onClose={onClose} keepsOpen>
      <p>
        This is the only time that the key is shown. Whoever has it can enter attempts into this contest,
        until you revoke it or the contest ends.
      </p>
      <h3>API key</h3>
      <pre className="secret">{apiKey}</pre>
      <CopyButton what="API key" text={() => apiKey}>
        Copy the key
      </CopyButton>
      <h3>Try it in a terminal</h3>
      <pre className="secret">{curlLine(handed)}</pre>
      <CopyButton what="curl line" text={() => curlLine(handed)}>
        Copy the line
      </CopyButton>
      <QrCode text={qrText(handed)} label={`QR code with server, contest and key for ${device}`} />
      <div className="actions">
        <Button isMain onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
};
